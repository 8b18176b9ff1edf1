import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { docsPage, docsPolicy } from '../../adapters/http/openapi/docs-page.ts';
import { openApi } from '../../adapters/http/openapi/openapi.ts';
import { openApiDocument, routes } from '../../adapters/http/routes/index.ts';
import { closed, int, object, oneOf, text } from '../../adapters/http/schema.ts';

interface Element {
  readonly id: string;
  readonly tagName: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}
interface Page {
  readonly body: Element;
  getElementById(id: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

const page = (html: string) => (parseHTML(html) as unknown as { document: Page }).document;
const all = (document: Page, selector: string) => [...document.querySelectorAll(selector)];

describe('the reference page of the service', () => {
  const html = docsPage(openApiDocument());
  const document = page(html);

  it('shows every operation, with its input and its responses', () => {
    for (const { name, method, path, errors = [], query } of routes) {
      const article = document.getElementById(name);
      const shown = article?.textContent ?? '';
      expect(shown, name).to.include(method.toUpperCase());
      expect(shown, name).to.include(path.replaceAll(/:(\w+)/g, '{$1}'));
      for (const code of errors) expect(shown, name).to.include(code);
      for (const field of Object.keys(query?.['properties'] ?? {}))
        expect(shown, name).to.include(field);
    }
  });

  it('has unique anchors and no broken links', () => {
    const ids = all(document, '[id]').map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    const targets = all(document, 'a').map((link) => link.getAttribute('href') ?? '');
    expect(targets).not.to.deep.equal([]);
    for (const target of targets) expect(ids).to.include(target.replace(/^#/, ''));
  });

  it('describes limits, defaults and choices', () => {
    const shown = document.getElementById('listObjects')?.textContent;
    expect(shown).to.include('integer, 1 to 100, default 20').and.to.include('integer, at least 0');
    expect(document.getElementById('listChats')?.textContent).to.include('ask or chat or agent');
  });

  it('runs no script, loads nothing, and uses only the style its policy allows', () => {
    for (const selector of ['script', 'link', 'img', 'iframe', 'form', '[style]', '[onclick]'])
      expect(all(document, selector), selector).to.deep.equal([]);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(docsPolicy).to.include(`'sha256-${hash}'`).and.to.include("default-src 'none'");
    expect(html.match(/<style/g)).to.have.length(1);
    expect(style).not.to.match(/url\(|@import|expression/);
  });
});

describe('a reference page', () => {
  const created = (said: string) =>
    docsPage(
      openApi(
        [
          {
            method: 'post',
            path: '/v1/things',
            tag: `T ${said}`,
            name: 'makeThing',
            summary: said,
            description: said,
            access: 'public',
            body: {
              json: object({
                [`a${said}`]: text({ description: said, pattern: said }),
                nested: object({ deep: int() }),
              }),
            },
            reply: { json: closed({ kind: oneOf(said, 'b') }) },
          },
        ],
        [
          { code: 'internal', status: 500, message: said },
          { code: 'too_large', status: 413, message: said },
          { code: 'request_timeout', status: 408, message: said },
          { code: 'unsupported_type', status: 415, message: said },
        ],
      ),
    );
  const skeleton = (html: string) => all(page(html), '*').map(({ tagName }) => tagName);
  const plain = skeleton(created('x')).join(' ');

  it('escapes all texts', () => {
    const html = created(`<script>alert("1")</script>'><img src=x onerror=y>&lt;`);
    expect(html).not.to.include('<script').and.not.to.include('<img');
    expect(html).to.include('&lt;script&gt;alert(&quot;1&quot;)').and.to.include('&amp;lt;');
  });

  it('has the same structure for any texts', () =>
    fc.assert(
      fc.property(
        fc
          .string({ unit: fc.constantFrom(...'<>&"\'/=a -!') })
          .filter((said) => said.trim() !== ''),
        (said) => {
          expect(skeleton(created(said)).join(' ')).to.equal(plain);
        },
      ),
      { numRuns: 60 },
    ));

  it('shows nested fields by their path', () =>
    expect(page(created('x')).body.textContent).to.include('nested.deep'));
});
