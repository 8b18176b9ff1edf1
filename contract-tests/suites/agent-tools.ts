import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { TOOL_NAMES, type AgentTools, type ToolName } from '../../ports/agent-tools.ts';

const ID = '0198c000-0000-7000-8000-000000000001';
const SPELT = ID.toUpperCase().replaceAll('-', '');

/** Valid arguments as a model may write them, with the expected result. */
const SOUND: {
  readonly [N in ToolName]: readonly [written: object, value: object, json: object];
} = {
  search_objects: [
    { query: 'rent', doc_type: null },
    { query: 'rent', limit: 8 },
    { query: 'rent', limit: 8 },
  ],
  read_object: [{ object_id: SPELT }, { objectId: ID, offset: 0 }, { object_id: ID, offset: 0 }],
  create_note: [
    { content: 'x', title: ' T ', collection_id: ID },
    { content: 'x', title: 'T', collectionId: ID },
    { content: 'x', title: 'T', collection_id: ID },
  ],
  get_agenda: [
    { from: '2026-01-05', to: '2026-01-06T00:00:00+01:00' },
    {
      from: { local: Date.UTC(2026, 0, 5), offsetMinutes: null },
      to: { local: Date.UTC(2026, 0, 6), offsetMinutes: 60 },
      limit: 500,
    },
    { from: '2026-01-05', to: '2026-01-06T00:00:00+01:00', limit: 500 },
  ],
  create_event: [
    { title: 'x', starts_at: '2026-01-05T09:00', ends_at: '2026-01-05T10:00', rrule: 'FREQ=DAILY' },
    {
      title: 'x',
      startsAt: { local: Date.UTC(2026, 0, 5, 9), offsetMinutes: null },
      endsAt: { local: Date.UTC(2026, 0, 5, 10), offsetMinutes: null },
      rrule: 'FREQ=DAILY',
    },
    { title: 'x', starts_at: '2026-01-05T09:00', ends_at: '2026-01-05T10:00', rrule: 'FREQ=DAILY' },
  ],
  move_object: [
    { object_id: ID, collection_id: null },
    { objectId: ID, collectionId: null },
    { object_id: ID, collection_id: null },
  ],
  rename_object: [
    { object_id: ID, filename: ' b.pdf ' },
    { objectId: ID, filename: 'b.pdf' },
    { object_id: ID, filename: 'b.pdf' },
  ],
};

export function agentToolsContract(name: string, tools: AgentTools): void {
  describe(`${name} fulfils the contract of AgentTools`, () => {
    it('Every tool has a JSON Schema of one object, in which each field has a description', () => {
      for (const tool of TOOL_NAMES) {
        const schema = tools.parameters(tool);
        // An unknown keyword is an error.
        const ajv = new Ajv2020({ strict: true, validateFormats: false });
        const validate = ajv.compile(schema);
        expect(schema).to.include({ type: 'object', additionalProperties: false });
        const fields = schema['properties'] as Record<string, { description?: string }>;
        for (const [field, { description }] of Object.entries(fields))
          expect(description, `${tool}.${field}`).to.be.a('string').and.not.equal('');
        expect(validate(SOUND[tool][2]), tool).to.equal(true);
      }
    });

    it("Valid arguments are returned as the core's types, and as plain JSON under the names of the schema", () => {
      for (const tool of TOOL_NAMES) {
        const [written, value, json] = SOUND[tool];
        expect(tools.check(tool, JSON.stringify(written)), tool).to.deep.equal({
          ok: true,
          value,
          json,
        });
      }
    });

    it('Arguments that are not a JSON object, or are invalid, are rejected with sentences that name the field', () => {
      for (const tool of TOOL_NAMES) {
        for (const written of ['', ' ', 'null', '[]', '"x"', '{', '{}', '{"a":NaN}', '\0'])
          expect(tools.check(tool, written).ok, `${tool} ${written}`).to.equal(false);
        const [sound] = SOUND[tool];
        for (const field of Object.keys(sound).filter((key) => sound[key as never] !== null)) {
          const wrong = tools.check(tool, JSON.stringify({ ...sound, [field]: { a: 1 } }));
          expect(wrong.ok).to.equal(false);
          if (!wrong.ok) expect(wrong.errors.join(), `${tool}.${field}`).to.include(`${field}: `);
        }
      }
      const long = JSON.stringify({ content: 'x'.repeat(2 ** 20) });
      expect(tools.check('create_note', long).ok).to.equal(false);
      const deep = `{"content":"x","a":${'['.repeat(100)}${']'.repeat(100)}}`;
      expect(tools.check('create_note', deep).ok).to.equal(false);
    });

    it('Unknown fields are dropped, and null in an optional field counts as absent', () => {
      for (const tool of TOOL_NAMES) {
        const [written, value, json] = SOUND[tool];
        const more = { ...written, colour: 'red', constructor: 1 };
        expect(tools.check(tool, JSON.stringify(more)), tool).to.deep.equal({
          ok: true,
          value,
          json,
        });
      }
      expect(tools.check('create_note', '{"content":"x","title":null}')).to.deep.include({
        value: { content: 'x' },
      });
    });
  });
}
