/** A page with one form that asks or confirms one thing. Cancel leads to the page above it. */
import { type Href, START } from '../href.ts'
import { type HtmlValue, html } from '../html.ts'
import { formActs, type Submit } from '../parts/forms/buttons.ts'
import type { FrameContent } from '../route.ts'

interface FormPage extends Omit<FrameContent, 'layout' | 'isNarrow' | 'body'> {
  readonly href: Href
  readonly crumbs: NonNullable<FrameContent['crumbs']>
  /** path to which the form is posted */
  readonly action: string
  readonly fields: HtmlValue
  readonly button: Submit
  /** an alternative action, next to the button */
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
