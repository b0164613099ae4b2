/** Status pages, one for each project that has saved one. */
export {}
