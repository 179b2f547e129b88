/** A hit with only the required members, plus the given ones. */
export function hitOf(organization: string, further: Readonly<Record<string, unknown>> = {}) {
  return {
    organization,
    eventDate: '2026-01-01T10:00:00Z',
    classification: 'search',
    ...further,
  };
}

/** A request that records the given body, sent as JSON unless it is text. */
export function posted(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
