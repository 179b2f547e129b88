/*
 * Runs in a browser: a minimal MCP Apps assistant, built with the official bridge. It shows the
 * widget in a sandboxed frame, passes it a tool result, and records the widget's requests.
 */
import {
  AppBridge,
  type McpUiHostCapabilities,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

export interface ToolAnswer {
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One showing of the widget. */
export interface Showing {
  readonly html: string;
  /** Origins from which images may load. */
  readonly imageOrigins: readonly string[];
  /** Size of the frame in CSS pixels. */
  readonly width: number;
  readonly context: McpUiHostContext;
  /** Capabilities of the host; by default everything that the widget can use. */
  readonly capabilities?: McpUiHostCapabilities;
  readonly input: Record<string, unknown>;
  /** Absent while the tool is still running. */
  readonly result?: ToolAnswer;
  /** The reason for cancelling the tool. */
  readonly cancelled?: string;
  /** Results of the server's tools, by name. A tool without a result never responds. */
  readonly answers: Readonly<Record<string, ToolAnswer>>;
  /** Refuses to open links. */
  readonly refusesLinks?: boolean;
}

/** The requests of the widget that is shown, oldest first. */
export interface Asked {
  readonly calls: { name: string; arguments: unknown }[];
  readonly opened: string[];
  readonly messages: unknown[];
  readonly heights: number[];
}

export interface Assistant {
  readonly asked: Asked;
  /** Replaces what was shown before. Resolves when the widget has received everything. */
  show(showing: Showing): Promise<void>;
  change(context: McpUiHostContext): Promise<void>;
  /** Ends the frame as a host does: sends a teardown request and waits for the response. */
  close(): Promise<void>;
}

declare global {
  var assistant: Assistant;
}

const EVERYTHING: McpUiHostCapabilities = { openLinks: {}, serverTools: {}, message: { text: {} } };

const HOST = { name: 'show-widget', version: '1.0.0' };

function createAssistant(): Assistant {
  let asked: Asked = nothingAsked();
  let bridge: AppBridge | null = null;

  async function show(showing: Showing): Promise<void> {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.title = 'Offerings';
    frame.style.width = `${showing.width}px`;
    document.body.replaceChildren(frame);
    const shown = new AppBridge(null, HOST, showing.capabilities ?? EVERYTHING, {
      hostContext: showing.context,
    });
    bridge = shown;
    asked = nothingAsked();
    listen(shown, frame, showing, asked);
    const ready = new Promise<void>((resolve) =>
      shown.addEventListener('initialized', () => resolve()),
    );
    await shown.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    frame.srcdoc = confined(showing.html, showing.imageOrigins);
    await ready;
    await shown.sendToolInput({ arguments: showing.input });
    if (showing.result !== undefined)
      await shown.sendToolResult({ content: [], ...showing.result } as never);
    if (showing.cancelled !== undefined)
      await shown.sendToolCancelled({ reason: showing.cancelled });
  }

  function listen(
    shown: AppBridge,
    frame: HTMLIFrameElement,
    { answers, refusesLinks }: Showing,
    asked: Asked,
  ): void {
    shown.addEventListener('sizechange', ({ height }) => {
      asked.heights.push(height ?? 0);
      frame.style.height = `${height}px`;
    });
    shown.oncalltool = ({ name, arguments: parameters }) => {
      asked.calls.push({ name, arguments: parameters });
      const answer = answers[name];
      return answer === undefined
        ? new Promise(() => {})
        : Promise.resolve({ content: [], ...answer } as never);
    };
    shown.onopenlink = async ({ url }) => {
      if (refusesLinks === true) return { isError: true };
      asked.opened.push(url);
      return {};
    };
    shown.onmessage = async (message) => {
      asked.messages.push(message);
      return {};
    };
  }

  return {
    get asked() {
      return asked;
    },
    show,
    change: async (context) => bridge?.sendHostContextChange(context),
    close: async () => {
      await bridge?.teardownResource({});
      document.body.replaceChildren();
    },
  };
}

const nothingAsked = (): Asked => ({ calls: [], opened: [], messages: [], heights: [] });

/** The policy that MCP Apps prescribes for a page that declares only image origins. */
function confined(html: string, imageOrigins: readonly string[]): string {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    `img-src data: ${imageOrigins.join(' ')}`,
    "connect-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
  return html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

globalThis.assistant = createAssistant();
