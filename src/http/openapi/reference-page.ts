/** The reference page of the newest version of the API. */
import type { Page } from '../pages/page.ts'
import { type Documented, openApiDocument } from './document.ts'
import { referenceBody } from './reference.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

export function referencePage(documented: Documented): Page {
  const { site } = documented
  const body = referenceBody(openApiDocument(3, documented), `${site.links.siteRoot}/api/v3/openapi.json`)
  return { title: `${site.name}: API reference`, siteName: 'Overdue', body, style: REFERENCE_STYLE }
}
