/** The reference page of the newest version of the API. */
import type { ReferenceContent } from '../web/route.ts'
import { type Documented, openApiDocument } from './document.ts'
import { referenceBody } from './reference.ts'

export function referencePage(documented: Documented): ReferenceContent {
  const { links } = documented.site
  const body = referenceBody(openApiDocument(3, documented), `${links.siteRoot}/api/v3/openapi.json`)
  return { layout: 'reference', title: 'API reference', body }
}
