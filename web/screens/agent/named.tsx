import { Fragment } from 'preact';

const ISOLATES = /[\u2068\u2069]/;

/** A message with the names in it as elements of their own direction. `strong`: the last name stands out. */
export function Named({ text, strong }: { text: string; strong?: boolean }) {
  const pieces = text.split(ISOLATES);
  const last = pieces.length - (pieces.length % 2 === 0 ? 1 : 2);
  return (
    <>
      {pieces.map((piece, nth) => {
        if (nth % 2 === 0) return <Fragment key={nth}>{piece}</Fragment>;
        const name = <bdi key={nth}>{piece}</bdi>;
        return strong && nth === last ? <b key={nth}>{name}</b> : name;
      })}
    </>
  );
}

/** The message for an attribute. */
export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');
