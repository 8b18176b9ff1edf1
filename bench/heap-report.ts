import { writeFileSync } from 'node:fs';

/**
 * Preloaded into the service: on SIGUSR2 it writes the heap usage into the file named by `HEAP_FILE`. The service
 * itself has no such code.
 */
const file = process.env['HEAP_FILE'] ?? '';
process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify(process.memoryUsage()));
});
