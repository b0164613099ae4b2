/**
 * Shows the effect of a form while a person changes it. A form, or a fieldset in one, has `data-preview`, a path that includes SITE_ROOT's,
 * and `data-preview-into`, such as `#meaning, #mistakes`: ids of elements, the preview first. After a pause the whole form is posted to the
 * path. The answer is a fragment with elements of the same ids, whose contents replace those on the page. The elements themselves stay, so
 * they may be live regions. An element that the answer leaves out keeps its contents, and stays busy. A field that one of them describes is
 * invalid while it holds an error.
 * A script that fills in a field dispatches `input` on it. Results of pasted text are filled in at once: see `fill.ts`.
 */

const ASK_AFTER_MS = 150

async function showPreview(part: HTMLElement, isPasted: boolean, signal: AbortSignal): Promise<void> {
  const form = part.closest('form')
  const { preview = '', previewInto = '' } = part.dataset
  // In the order of the attribute, not of the page.
  const places = previewInto.split(',').flatMap((place) => document.querySelector(place) ?? [])
  if (!form) return
  for (const place of places) place.ariaBusy = 'true'
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  try {
    const answer = await fetch(preview, { method: 'POST', body: new URLSearchParams(fields), signal })
    if (!answer.ok) throw answer
    const fragment = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const place of places) {
      const shown = fragment.getElementById(place.id)
      if (!shown) continue
      place.replaceChildren(...shown.childNodes)
      place.ariaBusy = null
      const isBad = place.querySelector('.err') !== null
      for (const field of document.querySelectorAll(`[aria-describedby="${place.id}"]`)) field.ariaInvalid = `${isBad}`
    }
    if (isPasted) part.querySelector<HTMLElement>('.below [data-fill]')?.click()
  } catch {
    // A newer request is still in progress.
    if (signal.aborted) return
    const [first] = places
    if (!first) return
    first.replaceChildren('The server gave no answer. The next change asks again.')
    first.ariaBusy = null
  }
}

for (const part of document.querySelectorAll<HTMLElement>('[data-preview]')) {
  let pause = 0
  let asking = new AbortController()
  part.addEventListener('input', (event) => {
    const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste'
    clearTimeout(pause)
    pause = window.setTimeout(() => {
      asking.abort()
      asking = new AbortController()
      void showPreview(part, isPasted, asking.signal)
    }, ASK_AFTER_MS)
  })
}
