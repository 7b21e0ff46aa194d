/** An ioredis client that is ready only on its database. */
import { Redis } from 'ioredis';

/** If SELECT fails, ioredis reports an error and uses database 0. This client connects again, as after a failed AUTH. */
export class DatabaseClient extends Redis {
  override async select(database: number | string): Promise<'OK'> {
    try {
      return await super.select(database);
    } catch (error) {
      if (!isReplyToSelect(error)) throw error; // the connection was closed meanwhile
      this.emit('error', new Error(`SELECT ${database}: ${error.message}`, { cause: error }));
      this.disconnect(true);
      return new Promise(() => {}); // ioredis would be ready on database 0 as soon as it settles
    }
  }
}

/** ioredis also rejects this command with the error of a failed AUTH. */
const isReplyToSelect = (error: unknown): error is Error =>
  error instanceof Error && (error as { command?: { name?: string } }).command?.name === 'select';
