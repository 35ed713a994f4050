# marmoset_module(NAME SOURCES … TESTS … FUZZ … BENCH … DEPENDS …)
#
# One folder of src/ is one static library `marmoset_NAME`, one test binary `NAME_test`, one fuzz target per *_fuzz.cc
# (which also runs over its corpus as an ordinary test) and one benchmark per *_bench.cc. DEPENDS names other folders
# or imported targets.

set(MARMOSET_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these falsely in its own standard library once code is inlined and instrumented (GCC bug 105562
  # and its kin).
  list(APPEND MARMOSET_WARNINGS -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict)
endif()

if(MARMOSET_SANITIZE)
  add_compile_options(-fsanitize=${MARMOSET_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MARMOSET_SANITIZE})
endif()

if(MARMOSET_FUZZ)
  # The libraries too: a fuzzer is guided by the code that it can see, and that is not in the *_fuzz.cc.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(marmoset_module NAME)
  cmake_parse_arguments(M "" "" "SOURCES;TESTS;FUZZ;BENCH;DEPENDS" ${ARGN})
  set(LIB marmoset_${NAME})
  set(LIBS)
  foreach(D IN LISTS M_DEPENDS)
    if(TARGET marmoset_${D})
      list(APPEND LIBS marmoset_${D})
    else()
      list(APPEND LIBS ${D})
    endif()
  endforeach()

  if(M_SOURCES)
    add_library(${LIB} STATIC ${M_SOURCES})
    set(SCOPE PUBLIC)
  else()
    add_library(${LIB} INTERFACE)
    set(SCOPE INTERFACE)
  endif()
  target_include_directories(${LIB} ${SCOPE} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${LIB} ${SCOPE} ${LIBS})
  if(M_SOURCES)
    target_compile_options(${LIB} PRIVATE ${MARMOSET_WARNINGS})
  endif()

  if(MARMOSET_TESTS AND M_TESTS)
    add_executable(${NAME}_test ${M_TESTS})
    target_link_libraries(${NAME}_test PRIVATE ${LIB} GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_options(${NAME}_test PRIVATE ${MARMOSET_WARNINGS})
    target_compile_definitions(${NAME}_test PRIVATE MARMOSET_SAMPLES="${PROJECT_SOURCE_DIR}/samples")
    add_test(NAME ${NAME} COMMAND ${NAME}_test --gtest_brief=1)
    set_tests_properties(${NAME} PROPERTIES TIMEOUT 600)
  endif()

  foreach(F IN LISTS M_FUZZ)
    cmake_path(GET F STEM STEM)
    set(CORPUS ${PROJECT_SOURCE_DIR}/fuzz/corpus/${STEM})
    add_executable(${STEM} ${F})
    target_link_libraries(${STEM} PRIVATE ${LIB})
    target_compile_options(${STEM} PRIVATE ${MARMOSET_WARNINGS})
    if(MARMOSET_FUZZ)
      target_compile_options(${STEM} PRIVATE -fsanitize=fuzzer)
      target_link_options(${STEM} PRIVATE -fsanitize=fuzzer)
    else()
      # Without libFuzzer the same target runs over its corpus, so that every build checks it.
      target_sources(${STEM} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/run_corpus.cc)
      if(MARMOSET_TESTS)
        add_test(NAME ${STEM} COMMAND ${STEM} ${CORPUS})
      endif()
    endif()
  endforeach()

  if(MARMOSET_BENCH)
    foreach(B IN LISTS M_BENCH)
      cmake_path(GET B STEM STEM)
      add_executable(${STEM} ${B})
      target_link_libraries(${STEM} PRIVATE ${LIB})
      target_compile_options(${STEM} PRIVATE ${MARMOSET_WARNINGS})
    endforeach()
  endif()
endfunction()
