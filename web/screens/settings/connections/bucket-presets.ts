/** A storage service that speaks S3. */
export interface BucketPreset {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  /** Of a region; '' if only the owner knows it, undefined where none is needed. */
  readonly endpointOf?: (region: string) => string;
  /** Shows how an endpoint looks that only the owner knows. */
  readonly placeholder?: string;
  /** Recognizes a stored endpoint. */
  readonly fits: RegExp;
  readonly pathStyle?: boolean;
}

export const BUCKET_PRESETS: readonly BucketPreset[] = [
  { id: 'aws', name: 'Amazon S3', region: 'eu-central-1', fits: /^$/ },
  {
    id: 'minio',
    name: 'MinIO',
    region: 'us-east-1',
    endpointOf: () => 'http://localhost:9000',
    fits: /:9000\/?$/,
    pathStyle: true,
  },
  {
    id: 'garage',
    name: 'Garage',
    region: 'garage',
    endpointOf: () => 'http://localhost:3900',
    fits: /:3900\/?$/,
    pathStyle: true,
  },
  {
    id: 'r2',
    name: 'Cloudflare R2',
    region: 'auto',
    endpointOf: () => '',
    placeholder: 'https://ACCOUNT.r2.cloudflarestorage.com',
    fits: /\.r2\.cloudflarestorage\.com\/?$/,
  },
  {
    id: 'b2',
    name: 'Backblaze B2',
    region: 'eu-central-003',
    endpointOf: (region) => `https://s3.${region}.backblazeb2.com`,
    fits: /\.backblazeb2\.com\/?$/,
  },
  {
    id: 'hetzner',
    name: 'Hetzner',
    region: 'fsn1',
    endpointOf: (region) => `https://${region}.your-objectstorage.com`,
    fits: /\.your-objectstorage\.com\/?$/,
  },
];

/** One that is none of them, with an endpoint that the owner knows. */
export const OTHER = 'other';

export const bucketPreset = (id: string): BucketPreset | undefined =>
  BUCKET_PRESETS.find((each) => each.id === id);

/** The preset of a stored endpoint. */
export const bucketPresetAt = (endpoint = ''): string =>
  BUCKET_PRESETS.find(({ fits }) => fits.test(endpoint))?.id ?? OTHER;
