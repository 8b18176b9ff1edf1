import { BringIn } from './bring-in.tsx';
import { DangerZone } from './danger-zone.tsx';
import { TakeOut } from './take-out.tsx';

/** The whole workspace out and in, and what can not be undone. */
export default function DataSection() {
  return (
    <>
      <TakeOut />
      <BringIn />
      <DangerZone />
    </>
  );
}
