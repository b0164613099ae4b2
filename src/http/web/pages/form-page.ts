/** A page with a single form. Its Cancel button opens the parent page. */
import { type Href, START } from '../href.ts'
import { type HtmlValue, html } from '../html.ts'
import { formActs, type Submit } from '../parts/forms/buttons.ts'
import type { FrameContent } from '../route.ts'

interface FormPage extends Omit<FrameContent, 'layout' | 'isNarrow' | 'body'> {
  readonly href: Href
  readonly crumbs: NonNullable<FrameContent['crumbs']>
  /** path that the form is posted to */
  readonly action: string
  readonly fields: HtmlValue
  readonly button: Submit
  /** alternative action, shown next to the button */
  readonly instead?: HtmlValue
}

export function formPage({ href, action, fields, button, instead, ...page }: FormPage): FrameContent {
  const back = page.crumbs.at(-1)?.path ?? START
  return {
    layout: 'frame',
    ...page,
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(action)}">
${fields}
${formActs(button, href(back), instead)}
</form>`,
  }
}
