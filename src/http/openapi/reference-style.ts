/** The CSS of the reference page, after that of every page. */
export const REFERENCE_STYLE = `
main { max-width: 72rem; margin: 2rem auto }
main > nav { columns: 14rem; padding: 1rem 1.25rem; margin-bottom: 2rem; border: 1px solid var(--line); border-radius: .4rem }
nav h2 { margin: 0; font-size: 1rem; break-after: avoid }
nav ul { margin: 0 0 .75rem; padding: 0; list-style: none }
a { color: light-dark(#2450a8, #8fb0ff) }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
article { padding: .25rem 0 1rem; border-top: 1px solid light-dark(#d5dae0, #3a4048); scroll-margin-top: 1rem }
article:target h3 { border-left: 4px solid var(--accent); padding-left: .5rem }
tr:target { outline: 2px solid var(--accent) }
h2 { margin: 2rem 0 .5rem; font-size: 1.35rem }
h3 { margin: 1rem 0 .5rem; font-size: 1.1rem }
h3 a { color: inherit; text-decoration: none }
h3 a:hover { text-decoration: underline }
h4 { margin: 1rem 0 .25rem; font-size: 1rem }
p { margin: 0 0 .5rem }
code, pre { font: .875em/1.5 ui-monospace, monospace }
code { overflow-wrap: anywhere }
pre { margin: .5rem 0; padding: .75rem 1rem; overflow-x: auto; border-radius: .4rem; background: light-dark(#f2f4f7, #1d2127) }
pre code { overflow-wrap: normal }
.path b { display: inline-block; padding: 0 .5rem; border-radius: .25rem; color: #fff; background: #5b6672; font-size: .8rem }
.path .get, .path .head { background: #2f5fc4 }
.path .post { background: #1d7a46 }
.path .delete { background: #b3362b }
.answer { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid light-dark(#d5dae0, #3a4048) }
.s2 { color: light-dark(#1d7a46, #6fd39a) }
.s4, .s5 { color: light-dark(#b3362b, #ff9a8f) }
.example { font-size: .875rem }
details { margin: .25rem 0 }
summary { cursor: pointer; font-size: .875rem }
table { width: 100%; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .35rem .75rem .35rem 0; border-top: 1px solid light-dark(#d5dae0, #3a4048); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere }
th { width: 28% }
td:nth-child(2) { width: 30% }
small { color: light-dark(#5b6672, #a3adb8) }
@media (max-width: 40rem) { th, td, tr, tbody, table { display: block; width: auto !important } td { border: 0; padding-top: 0 } }
`
