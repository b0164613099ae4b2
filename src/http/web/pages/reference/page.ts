/**
 * The reference pages. They render the OpenAPI documents for the newest API version and for Overdue's own API as HTML without JavaScript.
 */

import type { Answer, Method, Operation, Parameter, Reference, RequestBody } from '../../../api/description/parts.ts'
import { type Documented, type OpenApiDocument, openApiDocument } from '../../../api/openapi-document.ts'
import { ownDocument } from '../../../api/overdue/document.ts'
import { type Html, html } from '../../html.ts'
import type { ReferenceContent } from '../../route.ts'
import { componentsHtml } from './components.ts'
import { nameOf, schemaWords } from './schema-words.ts'
import { answerBody, contentHtml, firstOf, marked } from './values.ts'

export function referencePage(documented: Documented): ReferenceContent {
  const { siteRoot } = documented.site.links
  const other = html`Incidents and silences have <a href="${siteRoot}/docs/api/overdue">a separate API</a>.`
  const body = referenceBody(openApiDocument(3, documented), `${siteRoot}/api/v3/openapi.json`, other)
  return { layout: 'reference', title: 'API reference', body }
}

export function ownReferencePage(documented: Documented): ReferenceContent {
  const { siteRoot } = documented.site.links
  const other = html`Checks, pings and everything else are in <a href="${siteRoot}/docs/api">the other reference</a>.`
  const body = referenceBody(ownDocument(documented), `${siteRoot}/api/overdue/v1/openapi.json`, other)
  return { layout: 'reference', title: 'API reference: incidents and silences', body }
}

/** Operations on one path that have the same summary. They are shown together on the page. */
interface Entry {
  readonly path: string
  readonly methods: readonly { readonly method: Method; readonly id: string }[]
  /** the operation that accepts a body, or the first operation if none does */
  readonly operation: Operation
}

function entriesOf({ paths }: OpenApiDocument, tag: string): Entry[] {
  const entries = new Map<string, Entry>()
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item) as [Method, Operation][]) {
      if (operation.tags[0] !== tag) continue
      const key = `${path} ${operation.summary}`
      const known = entries.get(key)
      entries.set(key, {
        path,
        methods: [...(known?.methods ?? []), { method, id: operation.operationId }],
        operation: known && !operation.requestBody ? known.operation : operation,
      })
    }
  }
  return [...entries.values()]
}

/** @param other sentence that links to the other reference */
function referenceBody(document: OpenApiDocument, documentUrl: string, other: Html): Html {
  const sections = document.tags.map((tag) => ({ ...tag, entries: entriesOf(document, tag.name) }))
  return html`<p>${marked(document.info.description)}</p>
<p>For programs: <a href="${documentUrl}">this reference as an OpenAPI 3.1 document</a>. ${other}</p>
<nav aria-label="Operations">${sections.map(
    ({ name, entries }) => html`<h2>${name}</h2><ul>${entries.map(navItem)}</ul>`,
  )}<h2>More</h2><ul><li><a href="#keys">Keys</a></li><li><a href="#answers">Shared responses</a></li><li><a href="#headers">Headers</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>
<div>
${sections.map(
  ({ name, description, entries }) =>
    html`<section><h2>${name}</h2><p>${marked(description)}</p>${entries.map((entry) => entryHtml(entry, document))}</section>`,
)}
${componentsHtml(document)}
</div>`
}

function navItem({ operation }: Entry): Html {
  return html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`
}

function entryHtml(entry: Entry, document: OpenApiDocument): Html {
  const { path, methods, operation } = entry
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const others = methods.filter(({ id }) => id !== operationId)
  return html`<article id="${operationId}">${others.map(({ id }) => html`<span id="${id}"></span>`)}
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="path">${methods.map(({ method }) => html`<b class="${method}">${method.toUpperCase()}</b> `)}<code>${path}</code></p>
<p>${marked(description)}</p>
<p>${keyWords(operation)}</p>
<pre tabindex="0"><code>${curl(entry, document)}</code></pre>
${parameters.length > 0 && html`<h4>Parameters</h4>${parametersHtml(parameters)}`}
${requestBody && html`<h4>Body</h4><p>${marked(requestBody.description)}</p>${contentHtml(requestBody.content)}`}
<h4>Responses</h4>
${Object.entries(responses).map(([status, answer]) => html`<div class="answer">${answerHtml(status, answer, document)}</div>`)}
</article>`
}

const KEY_WORDS: Readonly<Record<string, string>> = {
  readWriteKey: 'read-write',
  readOnlyKey: 'read-only',
  readOnlyBearer: 'read-only, as a bearer token',
  metricsKey: 'METRICS_KEY',
  metricsBearer: 'METRICS_KEY as a bearer token',
}

function keyWords({ security }: Operation): Html {
  if (security.length === 0) return html`No key needed.`
  const words = security.map((requirement) => KEY_WORDS[Object.keys(requirement)[0] ?? ''] ?? 'none')
  return html`<a href="#keys">Key</a>: ${words.join(', or ')}.`
}

/** The request header to use for each kind of key. */
const KEY_HEADERS: Readonly<Record<string, string>> = {
  readWriteKey: 'X-Api-Key: odw_…',
  readOnlyBearer: 'Authorization: Bearer odr_…',
  metricsKey: 'X-Metrics-Key: …',
}

/** Returns a curl command that uses the first example of each parameter and of the body. */
function curl({ path, methods, operation }: Entry, { servers }: OpenApiDocument): string {
  const examples = new Map((operation.parameters ?? []).map(({ name, examples }) => [name, String(firstOf(examples))]))
  const url = `${servers[0]?.url ?? ''}${path.replace(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? name)}`
  const isDelete = methods.some(({ method }) => method === 'delete')
  const header = KEY_HEADERS[Object.keys(operation.security[0] ?? {})[0] ?? '']
  const key = header === undefined ? '' : ` -H '${header}'`
  // If the operation also accepts a GET, the command has no body.
  const body = methods.some(({ method }) => method === 'get') ? '' : bodyOption(operation.requestBody)
  return `curl${isDelete ? ' -X DELETE' : ''} ${url}${key}${body}`
}

function bodyOption(requestBody: RequestBody | undefined): string {
  const [[type, { examples }] = ['', {}]] = Object.entries(requestBody?.content ?? {})
  const value = examples && firstOf(examples)
  if (typeof value !== 'object' || value === null) return ''
  const isForm = type === 'application/x-www-form-urlencoded'
  return ` -d '${isForm ? new URLSearchParams(Object.entries(value)) : JSON.stringify(value)}'`
}

function parametersHtml(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><th scope="row"><code>${name}</code> <small>${place}${required && ', required'}</small></th><td>${schemaWords(schema)}</td><td>${marked(description)}</td></tr>`,
  )
  return html`<table><tbody>${rows}</tbody></table>`
}

/** Renders a response. A shared response is a link to its description at the end of the page. */
function answerHtml(status: string, answer: Answer | Reference, { components }: OpenApiDocument): Html {
  const number = html`<b class="s${status[0] ?? ''}">${status}</b>`
  if (!('$ref' in answer)) return answerBody(answer, number)
  const name = nameOf(answer.$ref)
  return html`<p>${number} <a href="#answer-${name}">${marked(components.responses[name]?.description ?? '')}</a></p>`
}
