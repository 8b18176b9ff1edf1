import { once } from 'node:events';
import { BrokenReply, Connection, headerIn, type Reply } from './connection.ts';
import type { Operation } from './contract.ts';
import { requestBytes, targetOf, type Draft } from './draft.ts';
import { mutate } from './mutate.ts';
import { codeOf, isLargeHead, judge, operationAt, parsed } from './oracles.ts';
import { learn } from './pool.ts';
import { Random } from './random.ts';
import { MAX_REPLY_MS, requestMarker, pickScenario, runScenario } from './raw-http.ts';
import { validRequest } from './requests.ts';
import type { LaneOwner, World } from './world.ts';

/** Something that is wrong, as it was seen. */
export interface Sighting {
  /** The operation by the document, or the raw scenario. */
  readonly where: string;
  readonly problem: string;
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly changes: readonly string[];
  /** The request as it was sent. */
  readonly request: Buffer;
  readonly answer: string;
  readonly lane: number;
  readonly index: number;
}

export interface LaneOptions {
  readonly seed: number;
  readonly lane: number;
  /** How many requests it makes. */
  readonly requests: number;
  readonly onRequests: (count: number, status: number) => void;
  /** An operation was carried out. */
  readonly onSuccess: (operation: string) => void;
  readonly onSighting: (sighting: Sighting) => void;
  /** The owner's own bucket is broken: outages of this lane in the log are no findings. */
  readonly onBrokenBucket: (lane: number) => void;
}

const RAW_SHARE = 0.07;
/** Operations whose cost grows with the workspace, or that wait for a server elsewhere. */
const RARE =
  /^(exportWorkspace|importArchive|archiveShared|deepHealth|connect|checkIntegration|openApi)/;

/**
 * One sender: its requests come one after another and from choices of their own, so that the same seed makes the same
 * requests, independently of the other lanes.
 */
export async function runLane(world: World, options: LaneOptions): Promise<void> {
  const sender = new Sender(world, options);
  let index = 0;
  try {
    for (let created = 0; created < options.requests; index++) created += await sender.step(index);
  } catch (error) {
    // Clients can fail to connect only if the service has ended; anything else is a mistake of the fuzzer.
    if (!(await sender.isEnded())) throw error;
    sender.sightEnd(index);
  }
  sender.close();
}

const END_MS = 5_000;

/** How often a request is sent with the cookie of the session in place of a token. */
const COOKIE_SHARE = 0.1;

/** By a token these end all sessions, by a session all others: the lane would be left without one. */
const ENDS_OTHERS = /^\/v1\/(sessions|me\/)/;
const ENDS_ITSELF = /^\/v1\/sign-out/;

const byCookie = ({ path }: Operation, random: Random): boolean =>
  ENDS_OTHERS.test(path) || (!ENDS_ITSELF.test(path) && random.chance(COOKIE_SHARE));

class Sender {
  readonly #world: World;
  readonly #options: LaneOptions;
  #owner: LaneOwner;
  #connection: Connection | undefined;
  #last: Buffer = Buffer.alloc(0);
  readonly #operations: readonly (readonly [number, Operation])[];

  constructor(world: World, options: LaneOptions) {
    this.#world = world;
    this.#options = options;
    this.#owner = world.lanes[options.lane]!;
    this.#operations = world.contract.operations.map((each) => [
      RARE.test(each.id) ? 0.15 : /^create|^upload/.test(each.id) ? 2 : 1,
      each,
    ]);
  }

  close(): void {
    this.#connection?.close();
  }

  /** Whether the process has ended, which may take a moment after its last response. */
  async isEnded(): Promise<boolean> {
    const { process } = this.#world.service;
    const ended = () => process.exitCode !== null || process.signalCode !== null;
    if (!ended()) await once(process, 'exit', { signal: AbortSignal.timeout(END_MS) }).catch(ended);
    return ended();
  }

  /** One of the requests that were under way has ended the process: the last of each lane is shown. */
  sightEnd(index: number): void {
    const requestId = `fz-${this.#options.lane}-${index}`;
    const [where, problem] = ['the process', 'has ended; this was under way or the last before'];
    this.#sight({
      where: `${where} (lane ${this.#options.lane})`,
      problem,
      request: this.#last,
      requestId,
      index,
    });
  }

  /** Returns the number of its requests. */
  async step(index: number): Promise<number> {
    const { seed, lane } = this.#options;
    const random = new Random(seed, this.#world.profile, lane, index);
    return random.chance(RAW_SHARE) ? this.#sendRaw(random, index) : this.#sendOne(random, index);
  }

  async #sendRaw(random: Random, index: number): Promise<number> {
    const { service } = this.#world;
    const { lane, onRequests } = this.#options;
    const scenario = pickScenario(random);
    const label = `fz-${lane}-${index}`;
    const { token, pool } = this.#owner;
    const objectIds = pool.get('object_id');
    const edge = { base: service.base, token, random, label, objectIds };
    const { requests, problems, sent } = await runScenario(scenario, edge);
    this.#last = sent;
    const after = await requestMarker(edge, this.#owner.id);
    onRequests(requests + 1, 0);
    for (const problem of new Set([...problems, ...after]))
      this.#sight({ where: scenario.name, problem, request: sent, requestId: label, index });
    return requests + 1;
  }

  async #sendOne(random: Random, index: number): Promise<number> {
    const { contract, service, knownFor } = this.#world;
    const { lane } = this.#options;
    const operation = random.weighted(this.#operations);
    const { pool, token, limitedTokens, cookie } = this.#owner;
    // Few objects are images, and only these are useful for an image operation.
    const ofPicture = /\/(image|thumbnail)/.test(operation.path) && random.chance(0.6);
    const pictures = ofPicture ? pool.get('picture_id') : [];
    const known = {
      ...knownFor(operation),
      ...(pictures.length > 0 && { object_id: pictures }),
    };
    const source = { contract, pool, random, known };
    const requestId = `fz-${lane}-${index}`;
    const draft = validRequest(source, operation, {
      token: random.chance(0.05) ? random.pick(limitedTokens) : token,
      ...(byCookie(operation, random) && { cookie }),
      host: new URL(service.base).host,
      address: `10.${lane}.${(index >> 8) & 255}.${index & 255}`,
    });
    draft.headers.push(['X-Request-Id', requestId]);
    mutate(draft, random);
    const request = requestBytes(draft);
    this.#last = request;
    const reply = await this.#exchange(draft.method, request);
    this.#options.onRequests(1, typeof reply === 'string' ? 0 : reply.status);
    if (typeof reply === 'string') {
      this.#sight({ where: operation.id, problem: reply, request, requestId, index, draft });
      return 1;
    }
    await this.#judge(draft, request, reply, requestId, index);
    return 1;
  }

  /** The response, or a description of the failure. A large head may be cut off while it is being sent. */
  async #exchange(method: string, request: Buffer): Promise<Reply | string> {
    const connection = (this.#connection ??= await Connection.open(this.#world.service.base));
    connection.send(request);
    let reply: Reply | string;
    try {
      reply = await connection.read(method, MAX_REPLY_MS);
    } catch (error) {
      if (!(error instanceof BrokenReply)) throw error;
      reply = error.message;
    }
    const closes = typeof reply === 'string' || /close/i.test(headerIn(reply, 'connection') ?? '');
    if (closes || !connection.isOpen) {
      connection.close();
      this.#connection = undefined;
    }
    if (reply === 'closed') return 'the connection is closed without an answer';
    if (reply === 'silent') return 'no answer in time';
    return reply;
  }

  async #judge(
    draft: Draft,
    request: Buffer,
    reply: Reply,
    requestId: string,
    index: number,
  ): Promise<void> {
    const { contract } = this.#world;
    const target = targetOf(draft);
    const ids = draft.headers.filter(([name]) => name.toLowerCase() === 'x-request-id');
    const sent = {
      method: draft.method,
      target,
      hasLargeHead: isLargeHead(request),
      ...(ids.length === 1 && ids[0]?.[1] === requestId && { requestId }),
    };
    const { operation } = operationAt(contract, draft.method, target);
    const problems = [...judge(contract, sent, reply)];
    const code = codeOf(reply);
    if (reply.status === 503 && code === 'unavailable') {
      // Files are stored in the owner's bucket while one is connected, and no server responds there.
      if (await this.#hasBucket()) this.#options.onBrokenBucket(this.#options.lane);
      else problems.push('an outage that nothing explains');
    }
    const where = operation?.id ?? 'no operation';
    for (const problem of new Set(problems))
      this.#sight({ where, problem, request, requestId, index, draft, reply });
    if (reply.status < 300 && operation) this.#options.onSuccess(operation.id);
    if (reply.status === 200 && operation)
      learn(contract, this.#owner.pool, operation, parsed(reply));
    if (reply.status === 201) this.#owner.pool.add('upload_id', createdIn(reply));
    if (reply.status === 200 && draft.method === 'DELETE')
      for (const value of draft.segments) this.#owner.pool.remove(value);
    // A lane that has revoked its own token would learn nothing more.
    if (reply.status === 401) await this.#renew();
  }

  async #hasBucket(): Promise<boolean> {
    const { service } = this.#world;
    const { token } = this.#owner;
    const { json } = await service.call('GET', '/v1/integrations/s3', { token });
    return json?.status !== undefined && json.status !== 'not_configured';
  }

  async #renew(): Promise<void> {
    const { service, newLaneOwner } = this.#world;
    const { status } = await service.call('GET', '/v1/me', { token: this.#owner.token });
    if (status === 401) this.#owner = await newLaneOwner();
  }

  #sight(seen: {
    readonly where: string;
    readonly problem: string;
    readonly request: Buffer;
    readonly requestId: string;
    readonly index: number;
    readonly draft?: Draft;
    readonly reply?: Reply;
  }): void {
    const { where, problem, request, requestId, index, draft, reply } = seen;
    this.#options.onSighting({
      ...{ where, problem, request, requestId, index, lane: this.#options.lane },
      status: reply?.status ?? 0,
      code: reply ? codeOf(reply) : '',
      changes: draft?.changes ?? [],
      answer: reply?.body.toString('utf8', 0, 600) ?? '',
    });
  }
}

/** The id of a new resource: the last segment of its path. */
const createdIn = (reply: Reply): string => headerIn(reply, 'location')?.split('/').at(-1) ?? '';
