import { writeFileSync } from 'node:fs';

/**
 * Loaded into the service before it begins: on SIGUSR2 it writes how much its heap holds into the file that `HEAP_FILE`
 * names. Nothing of this is in the service itself.
 */
const file = process.env['HEAP_FILE'] ?? '';
process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify(process.memoryUsage()));
});
