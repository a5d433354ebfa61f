// Nothing in the shared library is ever destroyed: programs call the runtime from destructors and
// exit handlers, and launches that no thread waited for are finished at the very end. The compiler
// registers the destructor of every static object with this function, whose definition here serves
// this library alone (the version script keeps it inside) and forgets it.
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
