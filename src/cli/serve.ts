import { Command } from 'commander';
import { type Config, indexMemoryMb, localUrl } from '../config.ts';
import { createHandler, type Handler } from '../http/app.ts';
import { trustProxies } from '../http/exchange/client-address.ts';
import type { Room } from '../http/exchange/other-methods.ts';
import type { HostRules } from '../http/mcp/host-guard.ts';
import { memoryWhileBuilding } from '../operations/indexes/loaded-index.ts';
import { listenToOperator } from '../operator/operator-listener.ts';
import { listenForOperators } from '../operator/operator-server.ts';
import { makeSocketPath } from '../operator/socket-path.ts';
import { type Listener, type Platform, systemPlatform } from '../platform.ts';
import { type OpenServices, openServices } from '../services.ts';
import { type Cli, configOf, secretsOf, withSettings } from './command/cli.ts';
import { isAddressInUse } from './command/failure.ts';

/** Time limit of a shutdown. Requests still open then are cut off. */
const DRAIN_MS = 8000;

export function serveCommand(cli: Cli): Command {
  return withSettings(new Command('serve'))
    .description('run the service until it is stopped')
    .addHelpText('after', '\nExample:\n  vitrine serve --listen 0.0.0.0:8787')
    .action(async (_options: object, command: Command) => {
      const config = configOf(cli, command.optsWithGlobals());
      const platform = systemPlatform(config.logLevel, secretsOf(config));
      const services = await openServices({
        ...{ config, platform, create: config.bootstrapOrg !== '' },
        note: cli.note,
      });
      try {
        const service = await startService(services, { config, platform });
        if (service.operatorUrl !== null)
          cli.note(
            `metrics: ${service.operatorUrl}/metrics\n` +
              `API reference: ${service.operatorUrl}/docs\n` +
              `admin page: ${service.operatorUrl}/admin (sign in with "vitrine admin link")\n`,
          );
        cli.note(describeMemory(config, platform, services.embeddings.dimensions));
        cli.note(`vitrine is listening on ${service.url}\n`);
        await Promise.race([untilStopped(cli), services.pageCheck.damage]).finally(service.stop);
      } finally {
        await services.close();
      }
    });
}

function describeMemory(config: Config, platform: Platform, dimensions: number): string {
  const megabytes = indexMemoryMb(config, platform.memoryBytes());
  const of = `${Math.floor(platform.memoryBytes() / 1024 / 1024)} MB`;
  const share = config.indexMemoryMb === 'auto' ? ` (auto: a quarter of ${of})` : '';
  const memory = { budgetBytes: megabytes * 1024 * 1024, machineBytes: platform.memoryBytes() };
  const building = memoryWhileBuilding(memory, dimensions);
  return `memory for searching catalogues: ${megabytes} MB${share}; up to ${building} MB while one is built\n`;
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
  /** `http://host:port` of the operator's listener; null if there is none. */
  readonly operatorUrl: string | null;
  /** Stops accepting requests and answers those in flight. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly platform: Platform;
  /** Routes in addition to the public interface. */
  readonly further?: readonly Room[];
}

/** Opens the listeners and starts the background work. Leaves nothing open if it fails. */
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
  // First: whoever learns from the listener that the service is ready may give it a command.
  const operators = await listenForOperators(services, makeSocketPath(config.dataFolder));
  const { listener, operatorListener } = await openListeners(services, {
    ...{ config, platform, handler },
  }).catch((error) => {
    operators.close();
    throw error;
  });
  if (operatorListener !== null) services.adminSessions.listensAt(urlOf(operatorListener));
  const { hostname } = config.listen;
  const url = localUrl({ hostname, port: listener.port });
  services.landing.listensAt(url);
  services.readiness.listensAt(url);
  services.startWorkers();
  platform.log('info', 'listening', { hostname, port: listener.port });
  return {
    url: urlOf(listener),
    operatorUrl: operatorListener === null ? null : urlOf(operatorListener),
    async stop() {
      platform.log('info', 'stopping');
      services.beginStop();
      operators.close();
      // Last, so that Prometheus can observe the shutdown.
      await listener.stop(DRAIN_MS);
      await operatorListener?.stop(0);
    },
  };
}

async function openListeners(
  services: OpenServices,
  { config, platform, handler }: Pick<ServiceOptions, 'config' | 'platform'> & { handler: Handler },
): Promise<{ listener: Listener; operatorListener: Listener | null }> {
  const { hostname, port } = config.listen;
  const listener = await platform.listen({ hostname, port, fetch: handler });
  try {
    return {
      listener,
      operatorListener: await openOperatorListener(services, { config, handler }),
    };
  } catch (error) {
    await listener.stop(0);
    throw error;
  }
}

/** Null if it is switched off, or if the default address is in use. */
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
      hint: 'another program is listening on the address: choose another with --ops-listen',
    });
    return null;
  }
}

/** The OpenAPI document of the public interface. */
async function readOpenApi(handler: Handler): Promise<object> {
  const connection = { address: () => '127.0.0.1', keepOpen: () => undefined };
  const response = await handler(new Request('http://localhost/openapi.json'), connection);
  return (await response.json()) as object;
}

function urlOf({ hostname, port }: Listener): string {
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** The origins under which clients may reach the service. */
export function hostRulesOf({
  listen,
  publicUrl,
  allowedHosts,
  allowedOrigins,
}: Config): HostRules {
  return { boundTo: listen.hostname, publicUrl, allowedHosts, allowedOrigins };
}
