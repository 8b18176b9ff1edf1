import createClient from 'openapi-fetch';
import { SERVICE } from '../app/address.ts';
import { requestOf } from './request.ts';
import type { paths } from './schema.js';

/** The public interface, typed by its OpenAPI document. */
export const api = createClient<paths>({
  baseUrl: SERVICE || location.origin,
  fetch: (request) => requestOf(request),
});
