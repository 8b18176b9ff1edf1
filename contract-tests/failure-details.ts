/** What is printed when a test fails, such as what a browser showed: a failure that does not repeat has no other witness. */
const sources = new Set<() => Promise<string>>();

const MAX_WAIT_MS = 5_000;

/** Returns a function that removes the source. */
export function addFailureDetails(read: () => Promise<string>): () => void {
  sources.add(read);
  return () => void sources.delete(read);
}

/** The details of all sources that answer in time. */
export async function readFailureDetails(): Promise<readonly string[]> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, MAX_WAIT_MS, '').unref());
  const read = async (source: () => Promise<string>): Promise<string> => {
    try {
      return await Promise.race([source(), late]);
    } catch (error) {
      return `no details: ${String(error)}`;
    }
  };
  return (await Promise.all([...sources].map(read))).filter((text) => text !== '');
}
