import { errorEntries, openApiDocument } from '../adapters/http/routes/index.ts';
import { VARIABLES } from './config.ts';

export { openApiDocument };

/** Every error of the catalogue with its status, by code. */
export const errorCatalogue = () =>
  [...errorEntries()].sort((a, b) =>
    a.code < b.code ? -1 : a.code > b.code ? 1 : a.status - b.status,
  );

/** Every environment variable. */
export const configTable = () =>
  Object.values(VARIABLES).map(({ name, meaning, byDefault }) => ({ name, meaning, byDefault }));

export function printOpenApi(): void {
  process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
