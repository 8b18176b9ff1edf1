import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One interface of ports/ with methods. */
export interface Port {
  readonly name: string;
  /** Its file in ports/. */
  readonly file: string;
  readonly summary: string;
  /** The suite with its contract, '' if there is none. */
  readonly suite: string;
  readonly contract: readonly string[];
  readonly members: readonly { readonly signature: string; readonly comment: string }[];
}

const FOLDER = join(import.meta.dirname, '../ports');

/** The ports as described in their source, in file and source order. */
export function readPorts(): readonly Port[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return source.statements
      .filter(ts.isInterfaceDeclaration)
      .filter(({ members }) => members.some(ts.isMethodSignature))
      .map((it) => portOf(file, it));
  });
}

function portOf(file: string, it: ts.InterfaceDeclaration): Port {
  const [summary = '', suite = '', bullets = ''] = commentOf(it).split(/Contract \(([^)]+)\):/);
  return {
    name: it.name.text,
    file,
    summary: summary.trim(),
    suite,
    contract: bullets
      .split(/^- /m)
      .map((bullet) => bullet.replace(/\s+/g, ' ').trim())
      .filter((bullet) => bullet !== ''),
    members: it.members.map((member) => ({
      signature: member.getText().replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/, \)/g, ')'),
      comment: commentOf(member),
    })),
  };
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join('\n');
}
