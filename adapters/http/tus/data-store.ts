import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import type { Core } from '../../../core/index.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import type { UploadView } from '../../../core/uploads/index.ts';
import type { Checksum } from './checksum.ts';
import { atHeader, parseStored, readMetadata } from './metadata.ts';

export const EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'checksum',
  'termination',
  'expiration',
];

/** The request that a store is made for. */
export interface TusRequest {
  readonly caller: Caller;
  /** `Upload-Metadata` as sent. */
  readonly metadata: string;
  readonly checksum?: Checksum;
}

/** The uploads of one caller, for one request of the protocol. */
export class CallerUploads extends DataStore {
  override extensions = EXTENSIONS;
  /** The upload after the last operation. */
  view: UploadView | undefined;
  readonly #core: Pick<Core, 'uploads' | 'identity'>;
  readonly #request: TusRequest;

  constructor(core: Pick<Core, 'uploads' | 'identity'>, request: TusRequest) {
    super();
    this.#core = core;
    this.#request = request;
  }

  override async create(file: Upload): Promise<Upload> {
    const { caller, metadata } = this.#request;
    try {
      const wanted = { ...readMetadata(metadata), size: file.size ?? 0 };
      this.view = await this.#core.uploads.createUpload(caller, wanted);
    } catch (error) {
      throw atHeader(error, metadata);
    }
    file.id = this.view.id;
    return file;
  }

  override async getUpload(id: string): Promise<Upload> {
    this.view = await this.#core.uploads.getUpload(this.#request.caller, id);
    const { size, received: offset, metadata } = this.view;
    return new Upload({
      id,
      size,
      offset,
      ...(metadata !== '' && { metadata: parseStored(metadata) }),
    });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    // A repeat that has nothing to add.
    if (this.view && this.view.objectId !== null) return this.view.received;
    const { caller, checksum } = this.#request;
    const bytes: AsyncIterable<Uint8Array> = stream;
    this.view = await this.#core.uploads.appendToUpload(caller, id, {
      offset,
      bytes: checksum ? checksum.of(bytes) : bytes,
      ...(checksum && { matchesChecksum: () => checksum.matches() }),
      requireSender: () => this.#core.identity.requireCredential(caller),
    });
    return this.view.received;
  }

  override async remove(id: string): Promise<void> {
    this.view = undefined;
    await this.#core.uploads.terminateUpload(this.#request.caller, id);
  }
}
