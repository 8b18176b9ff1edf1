import { useEffect, useMemo } from 'preact/hooks';
import { typedAhead } from '../../keys/typed-ahead.ts';
import { lazily } from '../../ui/lazily.tsx';

const PinDialog = lazily(() => import('./pin-dialog.tsx'));

/** The dialog that opens the zone. A PIN that is typed while the dialog is being loaded belongs into its field. */
export function PinPrompt({ onClose }: { onClose: () => void }) {
  const typed = useMemo(() => typedAhead({ hasEnter: true }), []);
  useEffect(() => typed.stop, [typed]);
  return <PinDialog typed={typed} onClose={onClose} />;
}
