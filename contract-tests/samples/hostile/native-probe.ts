import Database from 'better-sqlite3';
import { connect } from 'node:net';

/**
 * Run where a decoder runs: opens a file and a connection by native code, as a decoder that was taken over would, and prints
 * what it got. Node's permission model does not bind either.
 */
const [file = '', port = '0'] = process.argv.slice(2);

function isOpened(): boolean {
  const database = new Database(':memory:');
  try {
    database.prepare('attach ? as target').run(file);
    return database.prepare('select count(*) as n from target.secrets').get() !== undefined;
  } catch {
    return false;
  }
}

const isConnected = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

process.stdout.write(JSON.stringify({ file: isOpened(), network: await isConnected() }));
