import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OPERATIONS } from '../../src/operator/operation-table.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import {
  type Ask,
  callApi,
  linkPath,
  OPERATOR_HOST,
  operatorAsk,
  signIn,
} from '../support/operator-page.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: LocalService;
let ask: Ask;
let cookie: string;
beforeAll(async () => {
  service = await startService();
  ask = operatorAsk(service);
  cookie = await signIn(service, ask);
});
afterAll(() => service.close());

const call = (operation: string, input?: unknown, headers?: Record<string, string>) =>
  callApi(ask, cookie, { operation, input }, headers);

async function errorOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return error.code;
}

describe('signing in', () => {
  test('a link opens the page once: the cookie is strict, hidden from scripts, and of /admin alone', async () => {
    const path = await linkPath(service);
    const first = await ask(path);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(
      /^vitrine_admin=[\w-]{43}; Path=\/admin; HttpOnly; SameSite=Strict$/,
    );
    const again = await ask(path);
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('the page that a link opens continues without the token', async () => {
    const path = await linkPath(service);
    const html = await (await ask(path)).text();
    expect(html).toContain('http-equiv="refresh" content="0; url=/admin"');
    expect(html).not.toContain(path.split('=')[1]!);
  });

  test('a link is too old after ten minutes, not before', async () => {
    const [early, late] = [await linkPath(service), await linkPath(service)];
    service.platform.advance(10 * MINUTE_MS - 1);
    expect((await ask(early)).status).toBe(200);
    service.platform.advance(1);
    expect((await ask(late)).status).toBe(401);
  });

  test('a session lasts while it is used, and ends twelve hours after its last use', async () => {
    const fresh = await signIn(service, ask);
    for (let turn = 0; turn < 3; turn++) {
      service.platform.advance(12 * HOUR_MS - 1);
      expect((await ask('/admin', { headers: { cookie: fresh } })).status).toBe(200);
    }
    service.platform.advance(12 * HOUR_MS);
    expect((await ask('/admin', { headers: { cookie: fresh } })).status).toBe(401);
    cookie = await signIn(service, ask);
  });

  test('a made-up token or session opens nothing, and says how to get in', async () => {
    for (const response of [
      await ask('/admin?token=AAAA'),
      await ask('/admin'),
      await ask('/admin', { headers: { cookie: 'vitrine_admin=AAAA' } }),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('vitrine admin link');
    }
  });

  test('signing out ends the session at once, and only this one', async () => {
    const other = await signIn(service, ask);
    const response = await callApi(ask, other, { operation: 'sign.out' });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await callApi(ask, other, { operation: 'org.list' })).status).toBe(401);
    expect((await call('org.list')).status).toBe(200);
  });

  test('of more than a hundred links the oldest is forgotten', async () => {
    const oldest = await linkPath(service);
    const second = await linkPath(service);
    for (let made = 0; made < 99; made++) await linkPath(service);
    expect((await ask(oldest)).status).toBe(401);
    expect((await ask(second)).status).toBe(200);
  });

  test('a restart signs everybody out', async () => {
    const former = await startService();
    const session = await signIn(former, operatorAsk(former));
    await former.services.close();
    const restarted = await startService({
      folder: former.folder,
      platform: former.platform,
    });
    const response = await operatorAsk(restarted)('/admin', { headers: { cookie: session } });
    expect(response.status).toBe(401);
    await restarted.close();
    former.discard();
  });

  test('without an operator’s listener there is no link', async () => {
    const bare = await startService();
    await expect(bare.perform('admin.link', {})).rejects.toMatchObject({ code: 'unavailable' });
    await bare.close();
  });
});

describe('operations of the page', () => {
  test('an operation answers a signed-in browser', async () => {
    const response = await call('org.list');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ result: [{ name: 'Acme' }] });
  });

  test.each([
    ['no cookie', null, {}, 401],
    ['a wrong cookie', 'vitrine_admin=AAAA', {}, 401],
    ['no guard header', 'own', { 'x-vitrine-admin': '' }, 403],
    ['a foreign origin', 'own', { origin: 'https://evil.example' }, 403],
    ['an origin without a host', 'own', { origin: 'null' }, 403],
    ['its own name at another port', 'own', { origin: 'http://127.0.0.1:9999' }, 403],
    ['its own origin', 'own', { origin: `http://${OPERATOR_HOST}` }, 200],
    ['a foreign name that points here', 'own', { host: 'evil.example' }, 403],
  ])('%s', async (_, sent, headers, status) => {
    const used = sent === 'own' ? cookie : sent;
    expect((await callApi(ask, used, { operation: 'key.list' }, headers)).status).toBe(status);
  });

  test('nothing beyond what the page shows: no file of this machine, no purge, no limits, no such thing', async () => {
    const allowed: string[] = [];
    for (const name of [...OPERATIONS.keys(), 'nothing', '../metrics']) {
      const { status } = await call(name, '[]');
      if (status !== 404) allowed.push(name);
    }
    expect(allowed.sort()).toEqual([
      'assistant.setup',
      'catalog.gaps',
      'catalog.import.show',
      'catalog.imports',
      'catalog.rollback',
      'catalog.source.list',
      'catalog.source.remove',
      'catalog.source.schedule',
      'catalog.stats',
      'context.list',
      'context.save',
      'curation.change',
      'curation.list',
      'curation.undo',
      'draft.import',
      'draft.open',
      'draft.preview',
      'hits.export',
      'hits.ignore',
      'hits.report',
      'item.remove',
      'item.show',
      'judgement.list',
      'judgement.save',
      'key.create',
      'key.list',
      'key.revoke',
      'key.rotate',
      'landing.preview',
      'landing.regenerate',
      'org.list',
      'search',
    ]);
  });

  test('names an invalid input, and distinguishes input that is not JSON from input that is too large', async () => {
    const wrong = await call('key.create', { scopes: ['everything'] });
    expect([wrong.status, await errorOf(wrong)]).toEqual([400, 'invalid_input']);
    const broken = await call('key.list', '{');
    expect([broken.status, await errorOf(broken)]).toEqual([400, 'invalid_input']);
    const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
    expect((await call('key.list', padded(64 * 1024))).status).toBe(200);
    const large = await call('key.list', padded(64 * 1024 + 1));
    expect([large.status, await errorOf(large)]).toEqual([413, 'too_large']);
    expect((await call('key.list', { organization: 'nobody' })).status).toBe(404);
  });

  test('a GET runs nothing', async () => {
    const response = await ask('/admin/api/key.list', { headers: { cookie } });
    expect(response.status).toBe(405);
  });

  test('a created key works, and can be revoked', async () => {
    const { result } = (await (await call('key.create', { scopes: ['search'] })).json()) as {
      result: { id: string; apiKey: string };
    };
    const search = () => service.as(result.apiKey)('/rest/search/v2/?q=lamp');
    expect((await search()).status).toBe(200);
    await call('key.revoke', { id: result.id });
    expect((await search()).status).toBe(401);
  });

  test('what to paste names the address, and the key that was asked for', async () => {
    const { apiKey } = service;
    const { result } = (await (await call('assistant.setup', { apiKey })).json()) as {
      result: { assistants: { assistant: string; steps: { paste: string }[] }[]; curl: string };
    };
    expect(result.curl).toContain(apiKey);
    const keyed = result.assistants
      .filter(({ steps }) => steps.some(({ paste }) => paste.includes(apiKey)))
      .map(({ assistant }) => assistant);
    expect(keyed).toEqual(['claude-code', 'cursor', 'vscode', 'gemini']);
    const refused = await call('assistant.setup', { apiKey: "'; rm -rf /; '" });
    expect(refused.status).toBe(400);
  });
});

describe('the pages', () => {
  test('run their own script and style, by hash, and nothing else', async () => {
    for (const path of ['/admin', '/docs', '/admin/']) {
      const response = await ask(path, { headers: { cookie } });
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toStartWith("default-src 'none'; script-src 'sha256-");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      const html = await response.text();
      const scripts = [...html.matchAll(/<(script|style)[^>]*>([\s\S]*?)<\/\1>/g)];
      for (const [, , content] of scripts) {
        const digest = new Bun.CryptoHasher('sha256').update(content!).digest('base64');
        expect(policy).toContain(`'sha256-${digest}'`);
      }
      expect(html).not.toMatch(/(?:src|href)="(?!#|data:,)|@import|url\(/);
    }
  });

  test('the reference contains the whole OpenAPI document, whatever its text', async () => {
    const openApi = { info: { title: HOSTILE_TEXTS.join(' $& ') } };
    const html = await (await operatorAsk(service, { openApi })('/docs')).text();
    const data = /<script type="application\/json" id="openapi">(.*?)<\/script>/s.exec(html)![1]!;
    expect(JSON.parse(data)).toEqual(openApi);
  });
});
