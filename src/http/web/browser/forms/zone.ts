/** Fills in the browser's time zone if the time zone field is empty. */

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone]')) {
  if (field.value === '') field.value = Intl.DateTimeFormat().resolvedOptions().timeZone
}
