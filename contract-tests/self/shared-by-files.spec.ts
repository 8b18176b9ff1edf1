import { expect } from 'chai';
import { endLeftovers, endShared, registerRunning, sharedByFiles } from '../leftovers.ts';

describe('what the spec files of a process share', () => {
  const open = () => {
    const ends: string[] = [];
    let starts = 0;
    let running = '';
    const use = sharedByFiles({
      start: async () => {
        running = `start ${++starts}`;
        const remove = registerRunning(running, () => ends.push(`left ${starts}`));
        return { name: running, remove };
      },
      end: async ({ name, remove }) => {
        ends.push(name);
        remove();
      },
      isRunning: ({ name }) => name === running,
    });
    return { use, ends, die: () => (running = '') };
  };

  it('starts with the first use, is no leftover of a file, and ends with the process', async () => {
    const { use, ends } = open();
    const first = await use();
    expect(await use()).to.equal(first);
    expect(await endLeftovers()).to.deep.equal([]);
    expect(ends).to.deep.equal([]);
    expect(await endShared()).to.deep.equal([]);
    expect(ends).to.deep.equal(['start 1']);
  });

  it('is started again after it has ended or failed to start', async () => {
    const { use, ends, die } = open();
    await use();
    die();
    expect((await use()).name).to.equal('start 2');
    expect(ends).to.deep.equal(['start 1']);
    await endShared();

    let tries = 0;
    const unlucky = sharedByFiles({
      start: () => (++tries === 1 ? Promise.reject(new Error('no port')) : Promise.resolve(tries)),
      end: () => Promise.resolve(),
      isRunning: () => true,
    });
    expect(await unlucky().catch((error: Error) => error.message)).to.equal('no port');
    expect(await unlucky()).to.equal(2);
  });

  it('is named if it left something running', async () => {
    const use = sharedByFiles({
      start: async () => registerRunning('a server', () => undefined),
      end: () => Promise.resolve(),
      isRunning: () => true,
    });
    await use();
    expect(await endShared()).to.deep.equal(['a server']);
  });
});
