import type { Histogram } from '../metrics.ts';
import type { Caller } from '../operations/tenants/admit.ts';
import type { HttpServices } from './route.ts';

/** Which requests leave a line in the log. */
export type AccessLog = 'off' | 'errors' | 'all';

/** Stands for paths and methods that are none of ours, so that strangers cannot make labels. */
const OTHER = 'other';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/** What is known of a request once it is answered. */
export interface Answered {
  readonly request: Request;
  readonly response: Response;
  readonly startedMs: number;
  readonly caller: Caller | null;
  readonly traceId: string | null;
}

interface Meter {
  readonly method: string;
  readonly latency: Histogram;
  readonly countByStatus: Map<number, number>;
}

/** Counts and times every request by route, method and status, and logs those that are to be logged. */
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
      'Time until an answer of the public listener begins.',
    );
  }

  /** What to call once a request to `path` (a route's own, or null for none of ours) is answered. */
  forPath(path: string | null): (answered: Answered) => void {
    const route = path ?? OTHER;
    const meters = new Map<string, Meter>();
    this.#metersByPath.set(route, meters);
    return (answered) => {
      const { method } = answered.request;
      const { status } = answered.response;
      const meter = meters.get(method) ?? this.#addMeter(route, meters, method);
      const seconds = (this.#services.platform.monotonicMs() - answered.startedMs) / 1000;
      meter.latency.observe(seconds);
      meter.countByStatus.set(status, (meter.countByStatus.get(status) ?? 0) + 1);
      const isLogged = this.#accessLog === 'all' || (this.#accessLog === 'errors' && status >= 500);
      if (isLogged) this.#write(route, answered, seconds);
    };
  }

  #addMeter(route: string, meters: Map<string, Meter>, method: string): Meter {
    const name = METHODS.has(method) ? method : OTHER;
    const present = meters.get(name);
    if (present !== undefined) return present;
    const latency = this.#histogram({ route, method: name });
    const meter = { method: name, latency, countByStatus: new Map<number, number>() };
    meters.set(name, meter);
    return meter;
  }

  *#samples() {
    for (const [route, meters] of this.#metersByPath) {
      for (const { method, countByStatus } of meters.values()) {
        for (const [status, value] of countByStatus) {
          yield { labels: { route, method, status: String(status) }, value };
        }
      }
    }
  }

  /** The route and not the address: what somebody asked is not for a log. */
  #write(route: string, { request, response, caller, traceId }: Answered, seconds: number): void {
    this.#services.platform.log('info', 'request', {
      requestId: response.headers.get('x-request-id'),
      method: request.method,
      route,
      status: response.status,
      ms: Math.round(seconds * 100_000) / 100,
      ...(caller && { organization: caller.organization.slug, key: caller.apiKey.id }),
      ...(traceId !== null && { traceId }),
    });
  }
}
