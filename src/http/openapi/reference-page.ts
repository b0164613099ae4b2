/** The reference page of the newest version, ready to be framed. */
import type { Links } from '../../domain/representation.ts'
import type { Page } from '../page.ts'
import { openApiDocument } from './document.ts'
import { referenceBody } from './reference.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

export function referencePage(site: { readonly name: string; readonly links: Links }): Page {
  const body = referenceBody(openApiDocument(3, site), `${site.links.siteRoot}/api/v3/openapi.json`)
  return { title: `${site.name}: API reference`, siteName: 'Overdue', body, style: REFERENCE_STYLE }
}
