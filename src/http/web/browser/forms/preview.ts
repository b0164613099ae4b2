/**
 * Shows the effect of a form while the user edits it. A form, or a fieldset in a form, has two attributes. `data-preview` is a path that
 * includes SITE_ROOT's path. `data-preview-into` lists ids of elements, with the preview first, such as `#meaning, #mistakes`. After a
 * pause, the script posts the entire form to the path. The response is a fragment with elements that have the same ids, and their contents
 * replace the contents on the page. The elements themselves stay, so they may be live regions. An element that is missing from the response
 * keeps its contents and stays busy. A field that is described by one of the elements is marked invalid while the element contains an
 * error. A script that fills in a field dispatches `input` on the field. After the user pastes, the first suggestion is filled in
 * immediately (see `fill.ts`).
 */

const ASK_AFTER_MS = 150

async function showPreview(part: HTMLElement, isPasted: boolean, signal: AbortSignal): Promise<void> {
  const form = part.closest('form')
  const { preview = '', previewInto = '' } = part.dataset
  // The elements are in the attribute's order, not in document order.
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
    // A newer request is in progress, so this result is outdated.
    if (signal.aborted) return
    const [first] = places
    if (!first) return
    first.replaceChildren('The server did not answer. The next change tries again.')
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
