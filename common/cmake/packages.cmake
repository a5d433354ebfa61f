# The libraries the project stands on: the installed package if there is one, else fetched.
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(doctest 2.4 REQUIRED)
find_package(benchmark 1.7 REQUIRED)
find_package(LibArchive 3.6 REQUIRED)
find_library(WARPWISE_ZSTD NAMES libzstd.a zstd REQUIRED)
