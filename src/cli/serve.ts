import { Command } from 'commander';
import { type Config, localUrl } from '../config.ts';
import { createHandler, type Handler } from '../http/app.ts';
import { trustProxies } from '../http/exchange/client-address.ts';
import type { Room } from '../http/exchange/other-methods.ts';
import type { HostRules } from '../http/mcp/host-guard.ts';
import { listenToOperator } from '../operator/operator-listener.ts';
import { listenForOperators } from '../operator/operator-server.ts';
import { makeSocketPath } from '../operator/socket-path.ts';
import { type Listener, type Platform, systemPlatform } from '../platform.ts';
import { type OpenServices, openServices } from '../services.ts';
import { type Cli, configOf, secretsOf, withSettings } from './command/cli.ts';
import { isAddressInUse } from './command/failure.ts';

/** A stop takes no longer than this: whoever still waits by then is let down. */
const DRAIN_MS = 8000;

export function serveCommand(cli: Cli): Command {
  return withSettings(new Command('serve'))
    .description('answer requests until stopped')
    .addHelpText('after', '\nExample:\n  vitrine serve --listen 0.0.0.0:8787')
    .action(async (_options: object, command: Command) => {
      const config = configOf(cli, command.optsWithGlobals());
      const platform = systemPlatform(config.logLevel, secretsOf(config));
      const services = await openServices({ config, platform, create: config.bootstrapOrg !== '' });
      try {
        const service = await startService(services, { config, platform });
        if (service.operatorUrl !== null)
          cli.note(
            `metrics for operators on ${service.operatorUrl}/metrics\n` +
              `the interface described on ${service.operatorUrl}/docs\n` +
              `the admin page on ${service.operatorUrl}/admin: "vitrine admin link" opens it\n`,
          );
        cli.note(`vitrine is listening on ${service.url}\n`);
        await Promise.race([untilStopped(cli), services.pageCheck.damage]).finally(service.stop);
      } finally {
        await services.close();
      }
    });
}

export function untilStopped({ stop }: Cli): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

export interface RunningService {
  /** `http://host:port` of the public listener. */
  readonly url: string;
  /** `http://host:port` of the operator's listener; null: there is none. */
  readonly operatorUrl: string | null;
  /** Takes no more requests and answers those in flight. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly platform: Platform;
  /** Routes beside those of the interface. */
  readonly further?: readonly Room[];
}

/** Opens the listeners on open services and starts what runs beside requests. Leaves nothing open when it fails. */
export async function startService(
  services: OpenServices,
  { config, platform, further = [] }: ServiceOptions,
): Promise<RunningService> {
  const handler = createHandler({
    services,
    hostRules: hostRulesOf(config),
    trustedProxies: trustProxies(config.trustedProxies),
    accessLog: config.logLevel === 'debug' ? 'all' : config.accessLog,
    further,
  });
  const { hostname, port } = config.listen;
  const listener = await platform.listen({ hostname, port, fetch: handler });
  const operatorListener = await openOperatorListener(services, { config, handler }).catch(
    async (error) => {
      await listener.stop(0);
      throw error;
    },
  );
  const operators = await listenForOperators(services, makeSocketPath(config.dataFolder));
  if (operatorListener !== null) services.adminSessions.listensAt(urlOf(operatorListener));
  services.landing.listensAt(localUrl({ hostname, port: listener.port }));
  services.startWorkers();
  platform.log('info', 'listening', { hostname, port: listener.port });
  return {
    url: urlOf(listener),
    operatorUrl: operatorListener === null ? null : urlOf(operatorListener),
    async stop() {
      platform.log('info', 'stopping');
      services.beginStop();
      operators.close();
      // Prometheus sees the end of it, too.
      await listener.stop(DRAIN_MS);
      await operatorListener?.stop(0);
    },
  };
}

/** Null when there is to be none, or when nobody asked for the address and another program has it. */
async function openOperatorListener(
  services: OpenServices,
  { config: { opsListen, origins }, handler }: { config: Config; handler: Handler },
): Promise<Listener | null> {
  if (opsListen === null) return null;
  try {
    return await listenToOperator(services, { ...opsListen, openApi: await readOpenApi(handler) });
  } catch (error) {
    if (origins.opsListen !== 'default' || !isAddressInUse(error)) throw error;
    services.platform.log('warn', 'operator_listener_missing', {
      hint: 'another program has the address: choose one with --ops-listen',
    });
    return null;
  }
}

/** What the interface says of itself, as anybody may read it. */
async function readOpenApi(handler: Handler): Promise<object> {
  const connection = { address: () => '127.0.0.1', keepOpen: () => undefined };
  const response = await handler(new Request('http://localhost/openapi.json'), connection);
  return (await response.json()) as object;
}

function urlOf({ hostname, port }: Listener): string {
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** Under which names the service may be called. */
export function hostRulesOf({
  listen,
  publicUrl,
  allowedHosts,
  allowedOrigins,
}: Config): HostRules {
  return { boundTo: listen.hostname, publicUrl, allowedHosts, allowedOrigins };
}
