/** The style of the report as a page: light and dark, wide and narrow, on screen and on paper. */
export const REPORT_STYLE = `
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #e4e7ec; --text: #17202e; --soft: #667085; --accent: #5b5bd6;
  --ai_retrieval: #5b5bd6; --ai_indexer: #8e8cf0; --ai_training: #c4c1fa; --search_engine: #12a594;
  --tool: #f5b83d; --unknown: #98a2b3; --human: #d5dbe4; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0d1117; --card: #151b24; --line: #262e3a; --text: #e8ecf2; --soft: #93a0b4; --accent: #8f8df5;
  --ai_retrieval: #8f8df5; --ai_indexer: #6a67d6; --ai_training: #4a4894; --search_engine: #1fb8a4;
  --tool: #d9a032; --unknown: #66748a; --human: #38434f; } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; padding: 40px 20px 64px; }
main { max-width: 1080px; margin: 0 auto; display: grid; gap: 20px; grid-template-columns: repeat(2, minmax(0, 1fr)); }
header, .wide { grid-column: 1 / -1; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -.02em; font-weight: 650; }
header p { color: var(--soft); margin-top: 4px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 22px 24px; min-width: 0; }
h2 { font-size: 15px; font-weight: 600; }
section > p { color: var(--soft); font-size: 13px; margin-top: 2px; }
section > div:last-child { margin-top: 16px; }
section.figures > div:last-child { margin-top: 0; }
section.figures { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 20px; background: none; border: 0; padding: 0; }
section.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 16px 20px; margin: 0; }
.figures b { display: block; font-size: 28px; line-height: 1.25; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.figures span { display: block; color: var(--soft); font-size: 13px; line-height: 1.35; }
.figures .was { margin-top: 6px; font-size: 12px; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; font-size: 12px; fill: var(--soft); }
svg line { stroke: var(--line); } svg .value { fill: var(--text); }
ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--soft); }
.legend b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; table-layout: fixed; }
th { text-align: left; font-size: 12px; font-weight: 500; color: var(--soft); padding: 0 0 6px; }
td { padding: 7px 0; border-top: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
td.middle, th.middle { padding-left: 12px; }
th.number, td.number { text-align: right; width: 92px; font-variant-numeric: tabular-nums; }
td.named { background: linear-gradient(90deg, color-mix(in srgb, var(--accent) 15%, transparent) var(--part), transparent 0) left / 100% calc(100% - 8px) no-repeat; border-radius: 4px; padding-left: 8px; background-position: 0 4px; }
th.named { padding-left: 8px; }
.tag { font-size: 12px; color: var(--soft); }
th.middle { width: 150px; }
.verified { color: var(--search_engine); }
.funnel { display: grid; gap: 12px; }
.funnel div { display: grid; grid-template-columns: 160px 1fr 230px; gap: 14px; align-items: center; font-size: 14px; }
.track { background: color-mix(in srgb, var(--line) 55%, transparent); border-radius: 6px; height: 26px; overflow: hidden; display: flex; }
.track i { display: block; height: 100%; }
.funnel em { font-style: normal; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; }
.funnel em b { color: var(--text); font-weight: 600; }
.gaps { list-style: none; padding: 0; display: grid; gap: 18px; }
.gaps li { border-top: 1px solid var(--line); padding-top: 12px; break-inside: avoid; }
.gaps p { font-weight: 600; overflow-wrap: anywhere; }
.gaps dl { display: grid; grid-template-columns: 170px minmax(0, 1fr); gap: 4px 14px; margin-top: 6px; font-size: 13px; align-items: baseline; }
.gaps dt { color: var(--soft); }
.gaps dd { margin: 0; }
code { font: 12px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.remark { color: var(--soft); font-size: 13px; margin-top: 12px; }
footer { grid-column: 1 / -1; color: var(--soft); font-size: 13px; }
@media (max-width: 760px) { main { grid-template-columns: minmax(0, 1fr); } section.figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; } .spare { display: none; } td.named { white-space: normal; overflow-wrap: anywhere; } th.number, td.number { width: 70px; } th.middle { width: 110px; } section { padding: 18px; } .funnel div { grid-template-columns: 1fr; gap: 4px; } .funnel em { text-align: left; } .gaps dl { grid-template-columns: minmax(0, 1fr); gap: 0; } .gaps dd { margin-bottom: 8px; } }
@media print { body { background: none; padding: 0; } section { break-inside: avoid; } section.long { break-inside: auto; } }
`;
