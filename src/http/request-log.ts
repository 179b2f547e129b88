import type { Histogram } from '../metrics.ts';
import { arrivalOf, type HttpServices } from './exchange/visit.ts';
import { templateOf } from './openapi.ts';

/** Which requests to log. */
export type AccessLog = 'off' | 'errors' | 'all';

/** Label of unknown paths and methods, so that strangers cannot create labels. */
const OTHER = 'other';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

interface Meter {
  readonly method: string;
  readonly latency: Histogram;
  readonly countByStatus: Map<number, number>;
}

/**
 * Counts and times requests by route, method and status, and logs those that the setting selects.
 */
export class RequestLog {
  readonly #services: HttpServices;
  readonly #accessLog: AccessLog;
  readonly #metersByPath = new Map<string, Map<string, Meter>>();
  readonly #histogram: (labels: Record<string, string>) => Histogram;

  constructor(services: HttpServices, accessLog: AccessLog) {
    this.#services = services;
    this.#accessLog = accessLog;
    services.metrics.register({
      name: 'vitrine_http_requests_total',
      help: 'Requests answered by the public listener.',
      type: 'counter',
      read: () => [...this.#samples()],
    });
    this.#histogram = services.metrics.histograms(
      'vitrine_http_request_duration_seconds',
      'Time until the public listener begins a response.',
    );
  }

  /** Records a response. `pattern` is the Elysia route; undefined for an unknown path. */
  record(pattern: string | undefined, request: Request, status: number): void {
    const { method } = request;
    const { startedMs } = arrivalOf(request);
    const path = pattern ?? OTHER;
    const meters = this.#metersByPath.get(path) ?? this.#addPath(path);
    const meter = meters.get(method) ?? this.#addMeter(path, meters, method);
    const seconds = (this.#services.platform.monotonicMs() - startedMs) / 1000;
    meter.latency.observe(seconds);
    meter.countByStatus.set(status, (meter.countByStatus.get(status) ?? 0) + 1);
    const isLogged = this.#accessLog === 'all' || (this.#accessLog === 'errors' && status >= 500);
    if (isLogged) this.#write(templateOf(path), request, { status, seconds });
  }

  #addPath(path: string): Map<string, Meter> {
    const meters = new Map<string, Meter>();
    this.#metersByPath.set(path, meters);
    return meters;
  }

  #addMeter(path: string, meters: Map<string, Meter>, method: string): Meter {
    const name = METHODS.has(method) ? method : OTHER;
    const present = meters.get(name);
    if (present !== undefined) return present;
    const latency = this.#histogram({ route: templateOf(path), method: name });
    const meter = { method: name, latency, countByStatus: new Map<number, number>() };
    meters.set(name, meter);
    return meter;
  }

  *#samples() {
    for (const [path, meters] of this.#metersByPath) {
      const route = templateOf(path);
      for (const { method, countByStatus } of meters.values()) {
        for (const [status, value] of countByStatus) {
          yield { labels: { route, method, status: String(status) }, value };
        }
      }
    }
  }

  /** Logs the route, not the URL, because questions must not appear in the log. */
  #write(
    route: string,
    request: Request,
    { status, seconds }: { status: number; seconds: number },
  ): void {
    const { visit, traceId, requestId } = arrivalOf(request);
    const caller = visit?.caller;
    this.#services.platform.log('info', 'request', {
      requestId,
      method: request.method,
      route,
      status,
      ms: Math.round(seconds * 100_000) / 100,
      ...(caller && { organization: caller.organization.slug }),
      ...(caller && (caller.apiKey === null ? { access: 'public' } : { key: caller.apiKey.id })),
      ...(traceId !== null && { traceId }),
    });
  }
}
