/** The reference page of the newest version of the API. */

import { type Documented, openApiDocument } from '../../../api/openapi-document.ts'
import type { ReferenceContent } from '../../route.ts'
import { referenceBody } from './body.ts'

export function referencePage(documented: Documented): ReferenceContent {
  const { links } = documented.site
  const body = referenceBody(openApiDocument(3, documented), `${links.siteRoot}/api/v3/openapi.json`)
  return { layout: 'reference', title: 'API reference', body }
}
