import type { ToolSet } from '../../domain/organization.ts';

/** The assistants for which there are instructions. */
export const ASSISTANTS = [
  'claude',
  'claude-desktop',
  'claude-code',
  'chatgpt',
  'cursor',
  'vscode',
  'gemini',
  'copilot-studio',
  'le-chat',
] as const;
export type Assistant = (typeof ASSISTANTS)[number];

/** What an assistant on this machine starts to talk to the service without HTTP. */
export interface LocalServer {
  /** An absolute path, and the arguments that precede the command. */
  readonly program: readonly string[];
  /** Absolute. */
  readonly dataFolder: string;
}

/** How an assistant gets in. */
export type WayIn =
  | { readonly kind: 'public'; readonly url: string }
  | { readonly kind: 'sign-in'; readonly url: string }
  | { readonly kind: 'key'; readonly url: string; readonly apiKey: string | null };

/** What to paste, and where. */
export interface SetupStep {
  readonly where: string;
  readonly paste: string;
}

/** What an assistant's own documentation says that it can do. */
export interface Host {
  readonly name: string;
  /** It calls from its maker's servers, which reach https addresses on the internet only. */
  readonly isHosted: boolean;
  readonly takesKey: boolean;
  /** It may ignore a configured header if the service also offers to sign in. */
  readonly prefersSignIn?: boolean;
  stepsFor(way: WayIn): readonly SetupStep[];
  /** The set of tools that its own features need, and which features. */
  readonly uses?: { readonly toolSet: ToolSet; readonly features: string };
  /** Said of people who sign in: where the assistant begins it. */
  readonly signIn?: string;
  /** How it starts a program on its own machine. */
  localStep?(server: LocalServer, organization: string | null): SetupStep;
}

/** Stands in for a key in what is pasted. */
export const NO_KEY = 'YOUR_API_KEY';
