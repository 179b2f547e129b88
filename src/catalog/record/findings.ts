import type { Fault, RawRecord, RecordText } from './reader.ts';

/** Where a record stands. */
interface Position {
  readonly file: string;
  readonly line: number;
  readonly record: number;
  readonly raw: RawRecord;
}

/** What is wrong with one value. Our own words: never the value, never a library's message. */
export interface Finding {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** Collects what is wrong with one record, so that all of it is told at once. */
export class Findings {
  readonly faults: Fault[] = [];
  externalId: string | null = null;
  #position: Position;
  #isRejected = false;

  constructor(position: Position) {
    this.#position = position;
  }

  /** Whether the record has to be left out. */
  get isRejected(): boolean {
    return this.#isRejected;
  }

  /** Leaves the record out. */
  error(finding: Finding): void {
    this.#isRejected = true;
    this.faults.push(this.#fault(finding, 'error'));
  }

  /** Leaves out what stands on this line, but not the whole record: one variant of it. */
  partialError(finding: Finding): void {
    this.faults.push(this.#fault(finding, 'error'));
  }

  /** Leaves the record out for what has been reported already. */
  reject(): void {
    this.#isRejected = true;
  }

  /** What comes next stands on another line of the record. */
  moveTo({ line, record }: Pick<Position, 'line' | 'record'>): void {
    this.#position = { ...this.#position, line, record };
  }

  /** The record is taken without this value. */
  warning(finding: Finding): void {
    this.faults.push(this.#fault(finding, 'warning'));
  }

  #fault({ column, code, message }: Finding, severity: Fault['severity']): Fault {
    const { file, line, record, raw } = this.#position;
    return {
      file,
      line,
      record,
      externalId: this.externalId,
      column,
      code,
      message,
      severity,
      raw,
    };
  }
}

/** The same for a record that is given back as it stands, in the one column of its format. */
export function recordFindings(
  file: string,
  { line, record, text }: Omit<RecordText, 'problem'>,
  column: string,
): { raw: RawRecord; findings: Findings } {
  const raw = { columns: [column], rows: [{ line, fields: [text] }] };
  return { raw, findings: new Findings({ file, line, record, raw }) };
}
