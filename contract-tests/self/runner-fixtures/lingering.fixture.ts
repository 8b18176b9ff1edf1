import { writeToFolder } from './folder.ts';

describe('lingering', () => {
  it('passes, and lets its process not end', () => {
    process.on('exit', () => {
      writeToFolder('lingering', '');
      for (;;);
    });
  });
});
