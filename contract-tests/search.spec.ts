import { backends } from './backends.ts';
import { searchIndexContract } from './suites/search-index.ts';

for (const [name, open] of backends)
  describe(`${name}: SearchIndex`, () => searchIndexContract(open));
