import { afterAll, expect, test } from 'bun:test';
import { type GetDocument, lookAtSignIn } from '../../src/cli/machine/sign-in-check.ts';
import { ISSUER } from '../support/sign-in.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const services: LocalService[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

/** A service at that public URL, behind a proxy that passes on only paths below `passed`. */
async function behindProxy(publicUrl: string, passed: string) {
  const service = await startService({ flags: { 'public-url': publicUrl } });
  services.push(service);
  const get: GetDocument = async (url) => {
    const { pathname } = new URL(url);
    if (!pathname.startsWith(passed)) return { status: 200, body: 'somebody else’s' };
    const own = new URL(publicUrl).pathname.replace(/\/$/, '');
    const path = pathname.startsWith(own) ? pathname.slice(own.length) : pathname;
    const response = await service.asStranger(path);
    return { status: response.status, body: await response.json() };
  };
  return { service, get };
}

test('doctor: signing in works, is off, or is not needed', async () => {
  const { service, get } = await behindProxy(ISSUER, '/');
  expect(await lookAtSignIn(ISSUER, get)).toMatchObject({
    state: 'ok',
    message: `people can sign assistants in at ${ISSUER}/oauth/authorize`,
  });
  expect(await lookAtSignIn(null, get)).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/^off/),
  });
  expect(await lookAtSignIn(ISSUER, async () => null)).toMatchObject({ state: 'warn' });
  await service.operator.setPublic(true);
  expect(await lookAtSignIn(ISSUER, get)).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/^not offered/),
  });
});

test('doctor: a proxy that keeps the documents from assistants is named, with what to do', async () => {
  const below = `${ISSUER}/catalogue`;
  const narrow = await behindProxy(below, '/catalogue');
  expect(await lookAtSignIn(below, narrow.get)).toEqual({
    state: 'fail',
    message: `assistants do not find ${ISSUER}/.well-known/oauth-authorization-server/catalogue`,
    advice: 'let the proxy pass it on to vitrine',
  });
  const wide = await behindProxy(below, '/');
  expect(await lookAtSignIn(below, wide.get)).toMatchObject({ state: 'ok' });
  const other = await lookAtSignIn(ISSUER, wide.get);
  expect(other).toMatchObject({
    state: 'fail',
    advice: expect.stringContaining('the same public_url'),
  });
  const half = await behindProxy(ISSUER, '/.well-known/oauth-authorization-server');
  expect(await lookAtSignIn(ISSUER, half.get)).toMatchObject({
    state: 'fail',
    message: `${ISSUER}/.well-known/oauth-protected-resource/mcp is not vitrine’s`,
  });
});
