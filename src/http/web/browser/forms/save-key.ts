/** Ctrl+Enter or ⌘+Enter submits the form that has the focus. */

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing || event.defaultPrevented) return
  const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>('form.form, form.made') : null
  const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (!form || !button) return
  event.preventDefault()
  form.requestSubmit(button)
})
