/** A page that says in plain words where the offerings are: in the answer beside it. */
export function widgetHtml(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Offerings</title>
<style>body{font:16px system-ui,sans-serif;color-scheme:light dark;margin:1rem}</style>
<p>The offerings are listed in the answer.</p>
</html>
`;
}
