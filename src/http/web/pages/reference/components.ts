/** The end of the reference page: the keys, and the shared responses, headers and schemas that operations refer to. */

import type { OpenApiDocument } from '../../../api/openapi-document.ts'
import { type Html, html } from '../../html.ts'
import { type Schema, schemaWords } from './schema-words.ts'
import { answerBody, marked } from './values.ts'

export function componentsHtml(document: OpenApiDocument): Html {
  return html`${keysHtml(document)}
${answersHtml(document)}
${headersHtml(document)}
${schemasHtml(document)}`
}

function keysHtml({ components }: OpenApiDocument): Html {
  const keys = Object.values(components.securitySchemes)
  return html`<section id="keys"><h2>Keys</h2>${keys.map(
    ({ name, description }) => html`<p><code>${name}</code>: ${marked(description)}</p>`,
  )}</section>`
}

function answersHtml({ components }: OpenApiDocument): Html {
  return html`<section id="answers"><h2>Shared responses</h2>${Object.entries(components.responses).map(
    ([name, answer]) =>
      html`<article id="answer-${name}"><h3><a href="#answer-${name}">${name}</a></h3>${answerBody(answer)}</article>`,
  )}</section>`
}

function headersHtml({ components }: OpenApiDocument): Html {
  const rows = Object.entries(components.headers).map(
    ([name, { description, schema, example }]) =>
      html`<tr id="header-${name}"><th scope="row"><code>${name}</code></th><td>${schemaWords(schema)}</td><td>${marked(description)} <code>${example}</code></td></tr>`,
  )
  return html`<section id="headers"><h2>Headers</h2><table><tbody>${rows}</tbody></table></section>`
}

function schemasHtml({ components }: OpenApiDocument): Html {
  return html`<section id="schemas"><h2>Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${schemaHtml(schema)}</article>`,
  )}</section>`
}

function schemaHtml(schema: Schema): Html {
  const { description, properties, anyOf = [] } = schema
  const about = description && html`<p>${marked(description)}</p>`
  const variants = properties ? [schema] : anyOf
  if (variants.length === 0 || !variants.every(({ properties }) => properties)) {
    return html`${about}<p>${schemaWords(schema)}</p>`
  }
  return html`${about}${variants.map(membersHtml)}`
}

function membersHtml({ properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(
    ([name, member]) =>
      html`<tr><th scope="row"><code>${name}</code>${!required.includes(name) && html` <small>optional</small>`}</th><td>${schemaWords(member)}</td><td>${marked(member.description ?? '')}</td></tr>`,
  )
  return html`<table><tbody>${rows}</tbody></table>`
}
