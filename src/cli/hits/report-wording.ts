import { CLASSIFICATIONS } from '../../domain/hit.ts';
import type { Translator } from '../../messages/translator.ts';
import type { AgentKind, HitReport } from '../../operations/hits/report-hits.ts';
import { printable } from './printable.ts';

export type Step = HitReport['funnel'][number]['step'];

/** The wording of a report, for the terminal and the page. */
export class ReportWording {
  readonly translator: Translator;

  constructor(translator: Translator) {
    this.translator = translator;
  }

  get text(): Translator['text'] {
    return this.translator.text;
  }

  kind(kind: AgentKind): string {
    return this.text(`report.kind.${kind}`);
  }

  step(step: Step): string {
    return this.text(`report.step.${step}`);
  }

  /** A classification; one that clients made up as they sent it. */
  event(classification: string): string {
    const known = CLASSIFICATIONS.find((name) => name === classification);
    return known === undefined ? printable(classification) : this.text(`report.event.${known}`);
  }

  span(firstDay: string, lastDay: string): string {
    const [first, last] = [this.translator.day(firstDay), this.translator.day(lastDay)];
    return firstDay === lastDay ? first : this.text('report.span', { first, last });
  }

  /** `12%`; a dash if the whole is 0. */
  share(part: number, whole: number): string {
    return whole === 0 ? '–' : this.translator.percent(part / whole);
  }

  /** `+12%`; null if there was nothing before. */
  change(now: number, before: number): string | null {
    return before === 0 ? null : this.translator.percent((now - before) / before, 'change');
  }

  /** Whether somebody else than the agent itself says who it is. */
  identity({ kind, hits, verified }: HitReport['agents'][number]): string {
    if (kind === 'human') return '–';
    if (verified === 0) return this.text('report.declared');
    if (verified === hits) return this.text('report.verified');
    return this.text('report.partVerified', { share: this.share(verified, hits) });
  }

  /** How long the service's own responses took. */
  latency({ hits, ...latency }: NonNullable<HitReport['latency']>): string {
    const [p50, p95, p99] = [latency.p50Ms, latency.p95Ms, latency.p99Ms].map((ms) =>
      this.translator.decimal(String(ms)),
    ) as [string, string, string];
    return this.text('report.latencyNote', { count: hits, p50, p95, p99 });
  }
}
