import type { OwnerScope, Stores, UnitOfWork, WriteSize } from '../../ports/unit-of-work.ts';
import type { Database } from './database.ts';
import { storesOver } from './stores.ts';

/** SQLite or Postgres, by the database given. Stores see one connection of one unit, never the pool. */
export class KnexUnitOfWork implements UnitOfWork {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  read<T>(scope: OwnerScope, work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.#database.read((sql) => work(storesOver(sql, scope)));
  }

  write<T>(scope: OwnerScope, work: (stores: Stores) => Promise<T>, size?: WriteSize): Promise<T> {
    return this.#database.write(scope.ownerId, (sql) => work(storesOver(sql, scope)), size);
  }
}
