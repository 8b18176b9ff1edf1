import { sha256ContentDigest } from '../adapters/node/content-digest.ts';
import { contentDigestContract } from './suites/content-digest.ts';

describe('SHA-256: ContentDigest', () => contentDigestContract(sha256ContentDigest));
