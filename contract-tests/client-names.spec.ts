import { bowserClientNames } from '../adapters/user-agents/client-names.ts';
import { clientNamesContract } from './suites/client-names.ts';

describe('bowser: ClientNames', () => clientNamesContract(bowserClientNames));
