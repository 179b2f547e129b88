/**
 * Shows the widget in a minimal assistant, with results from the sample catalogue.
 *
 *   bun scripts/show-widget.ts           then open the address it prints
 *   bun scripts/show-widget.ts --port N  on that port
 *
 * The address takes `state` (found, list, loading, empty, error, cancelled), `theme`, `locale`, `width`
 * and `mode` (inline, fullscreen). Every load of the page reads the widget's source again.
 */
import { parseArgs } from 'node:util';
import { widgetHtml } from '../src/assets/widget.ts';
